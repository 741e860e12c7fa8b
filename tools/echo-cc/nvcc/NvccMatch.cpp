//===- NvccMatch.cpp - Which flag of nvcc's a word is ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccMatch.h"
#include "nvcc/NvccLists.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/OptTable.h"

using namespace llvm;

namespace echo {

static const NvccFlag Rows[] = {
#define NVCC_FLAG(Long, Short, Takes, Does, Text)                              \
  {Long, Short, NvccFlag::Takes, NvccFlag::Does, Text},
#include "nvcc/NvccFlags.def"
};

static constexpr StringRef OwnOptions[] = {
#define ECHO_SWITCH(Option, Member, To, Text) Option,
#define ECHO_OPTION(Option, Argument, Variable, Member, Text) Option,
#define ECHO_OPTIONAL(Option, Argument, Switch, Member, Text) Option,
#include "driver/Options.def"
};

bool isDecimal(StringRef S) { return !S.empty() && all_of(S, llvm::isDigit); }

std::optional<StringRef> clangsErrorKind(StringRef Kind) {
  return StringSwitch<std::optional<StringRef>>(Kind)
      .Case("reorder", "-Werror=reorder")
      .Case("deprecated-declarations", "-Werror=deprecated-declarations")
      .Cases({"all-warnings", "cross-execution-space-call",
              "default-stream-launch", "missing-launch-bounds",
              "ext-lambda-captures-this"},
             "")
      .Default(std::nullopt);
}

static bool areErrorKinds(StringRef Value) {
  std::vector<std::string> Kinds = splitList(Value);
  return !Kinds.empty() && all_of(Kinds, [](StringRef Kind) {
    return clangsErrorKind(Kind).has_value();
  });
}

/// \p Flag at word \p At, whose text after the dashes starts with \p Name.
static std::optional<NvccMatch> matchRow(const NvccFlag &Flag, StringRef Name,
                                         bool TwoDashes,
                                         ArrayRef<std::string> Args, size_t At,
                                         Inputs What) {
  StringRef Word = StringRef(Args[At]).ltrim('-');
  StringRef Rest = Word.drop_front(Name.size());
  bool HasValue = Rest.consume_front("=");
  if (!HasValue && !Rest.empty()) {
    bool Joined = Flag.Takes == NvccFlag::Number && Name.size() == 1 &&
                  What != Inputs::Plain && !TwoDashes && isDecimal(Rest);
    if (!Joined)
      return std::nullopt;
    HasValue = true;
  }
  NvccMatch M{&Flag, Args[At], Rest.str(), 1};
  M.Spelling = StringRef(M.Spelling).split('=').first.str();
  bool HasNext = At + 1 < Args.size();
  StringRef Next = HasNext ? StringRef(Args[At + 1]) : "";
  bool TakeNext = false;
  switch (Flag.Takes) {
  case NvccFlag::Cuda:
    if (What == Inputs::Plain)
      return std::nullopt;
    [[fallthrough]];
  case NvccFlag::None:
    if (HasValue)
      return std::nullopt;
    break;
  case NvccFlag::Equal:
    if (What == Inputs::Plain || (!HasValue && !TwoDashes))
      return std::nullopt;
    TakeNext = !HasValue;
    break;
  case NvccFlag::Number:
    TakeNext = !HasValue;
    if (!isDecimal(HasValue ? StringRef(M.Value) : Next))
      return std::nullopt;
    break;
  case NvccFlag::Shared:
    if (What != Inputs::Cuda && !HasValue && !TwoDashes)
      return std::nullopt;
    TakeNext = !HasValue;
    break;
  case NvccFlag::One:
  case NvccFlag::List:
    TakeNext = !HasValue;
    if (Flag.Text == "Werror" && !areErrorKinds(HasValue ? M.Value : Next))
      return std::nullopt;
    break;
  }
  if (TakeNext) {
    M.Used = HasNext ? 2 : 0; // 0: the argument is missing
    M.Value = Next.str();
  }
  return M;
}

Expected<std::optional<NvccMatch>> matchFlag(ArrayRef<std::string> Args,
                                             size_t At, Inputs What) {
  StringRef Word = Args[At];
  if (!Word.starts_with("-"))
    return std::nullopt;
  bool TwoDashes = Word.starts_with("--");
  StringRef Name = Word.drop_front(TwoDashes ? 2 : 1);
  for (const NvccFlag &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short}) {
      if (Spelling.empty() || !Name.starts_with(Spelling))
        continue;
      std::optional<NvccMatch> M =
          matchRow(Flag, Spelling, TwoDashes, Args, At, What);
      if (M && M->Used == 0)
        return createStringError("argument to '" + Word + "' is missing");
      if (M)
        return M;
    }
  return std::nullopt;
}

std::string nearestNvccSpelling(StringRef Word) {
  StringRef Name = Word.split('=').first;
  std::string Best;
  unsigned Distance = 1 + Name.size() / 4;
  std::string Clangs;
  unsigned D = clang::getDriverOptTable().findNearest(
      Name, Clangs, opt::Visibility(clang::options::ClangOption));
  if (D <= Distance) {
    Best = Clangs;
    Distance = D;
  }
  for (StringRef Own : OwnOptions)
    if (unsigned E = Name.edit_distance(Own, true, Distance); E < Distance) {
      Best = Own.str();
      Distance = E;
    }
  StringRef Dashes = Name.starts_with("--") ? "--" : "-";
  for (const NvccFlag &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short}) {
      if (Spelling.size() < 2)
        continue;
      unsigned E = Name.ltrim('-').edit_distance(Spelling, true, Distance);
      if (E < Distance || (E == Distance && Best.empty())) {
        Best = (Dashes + Spelling).str();
        Distance = E;
      }
    }
  return Best;
}

bool isMisreadFlag(const opt::Arg &A, StringRef Word) {
  if (A.getOption().matches(clang::options::OPT_d_Joined)) {
    StringRef Letters = Word.drop_front(2);
    return !all_of(Letters,
                   [](char C) { return StringRef("ADHIMNPUpx").contains(C); });
  }
  if ((!A.getOption().matches(clang::options::OPT_u) &&
       !A.getOption().matches(clang::options::OPT_l)) ||
      Word.size() < 6)
    return false;
  for (const NvccFlag &Flag : Rows)
    for (StringRef Spelling : {Flag.Long, Flag.Short})
      if (Spelling.size() > 6 && Spelling[0] == Word[1] &&
          Word.drop_front().edit_distance(Spelling, true, 3) <= 2)
        return true;
  return false;
}

} // namespace echo
