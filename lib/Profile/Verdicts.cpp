//===- Verdicts.cpp - What validation saw of each pair --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Verdicts.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Verdicts.h"

#include "Profile/Files.h"
#include "Profile/Pairs.h"
#include "Profile/Surroundings.h"
#include "Profile/Symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace echo::drtool {

static bool mergingIsOpen(const PlanPair &P) {
  return std::any_of(P.Open.begin(), P.Open.end(), drplan::merges);
}

static const char *trapText(uint8_t Flags) {
  switch (static_cast<dr::Trap>(Flags)) {
#define DR_TRAP(name, number, text)                                            \
  case dr::Trap::name:                                                         \
    return text;
#include "runtime/abi/DrTrace.def"
  default:
    return "something that this version does not know";
  }
}

/// "the host used the buffer while the GPU could, at app+0x12 (main,
/// app.cu:7)".
static std::string describeTrap(const Trace &T, const TraceRecord &R) {
  std::string Text = trapText(R.Flags);
  if (static_cast<dr::Trap>(R.Flags) == dr::Trap::DroppedOut)
    return Text + ": " + reasonText(static_cast<dr::Reason>(R.Stream));
  auto Module = T.Modules.find(R.Site);
  if (Module == T.Modules.end())
    return Text;
  Text += fmt::format(", at {}+{:#x}",
                      std::filesystem::path(Module->second).filename().string(),
                      R.Bytes);
  if (identityOf(Module->second) != R.Site)
    return Text;
  std::string Name = SymbolTable(Module->second).nameAt(R.Bytes);
  const std::string Line = lineAt(Module->second, R.Bytes);
  if (!Name.empty() && !Line.empty())
    Name += ", ";
  Name += Line;
  return Name.empty() ? Text : fmt::format("{} ({})", Text, Name);
}

void rejectMerging(Plan &P, const std::string &Why) {
  for (PlanPair &Pair : P.Pairs)
    if (mergingIsOpen(Pair)) {
      Pair.Validated = false;
      Pair.Rejected = Why;
    }
}

void rejectValidated(Plan &P, const std::string &Why) {
  for (PlanPair &Pair : P.Pairs)
    if (Pair.Validated) {
      Pair.Validated = false;
      Pair.Rejected = Why;
    }
}

Plan planToValidate(const Plan &P) {
  Plan Out = P;
  std::erase_if(Out.Pairs,
                [](const PlanPair &Pair) { return !mergingIsOpen(Pair); });
  return Out;
}

void keepValidatedProcesses(Plan &P, const std::vector<Trace> &Traces) {
  PlanContext &C = P.Context;
  std::erase_if(C.Processes, [&](const PlanProcess &Each) {
    return std::none_of(Traces.begin(), Traces.end(), [&](const Trace &T) {
      return T.ExecutableHash == C.Executable.Hash &&
             beganAs(Each, T, C.Input == "none");
    });
  });
  if (C.Processes.empty())
    rejectValidated(P, "no process began as it did when it was profiled: with "
                       "other arguments, variables, input or in another "
                       "folder");
}

void takeVerdicts(Plan &P, const std::vector<Trace> &Traces) {
  struct Seen {
    uint64_t Rounds = 0;
    uint8_t Joins = 0;
    std::string Trap;
  };
  std::map<uint64_t, Seen> Pairs;
  std::set<uint64_t> Modules;
  std::string Missing = "validation left no trace";
  for (const Trace &T : Traces) {
    if (T.ExecutableHash != P.Context.Executable.Hash)
      continue;
    if (Missing == "validation left no trace")
      Missing.clear();
    if (T.lacksRecords())
      Missing = "the trace of validation lacks records";
    for (const auto &[Hash, Path] : T.Modules)
      Modules.insert(P.Portable ? Hash : dr::moduleAt(Hash, Path.c_str()));
    std::map<uint64_t, uint64_t> Rounds; // the last record counts
    for (const TraceRecord &R : T.Events) {
      if (R.Kind == uint8_t(dr::Record::Rounds)) {
        Rounds[R.B] = std::max(Rounds[R.B], R.A);
        Pairs[R.B].Joins |= R.Flags;
      } else if (R.Kind == uint8_t(dr::Record::Trap) &&
                 Pairs[R.B].Trap.empty()) {
        Pairs[R.B].Trap = describeTrap(T, R);
      }
    }
    for (const auto &[Id, Count] : Rounds)
      Pairs[Id].Rounds += Count;
  }
  if (Modules.size() > drplan::MostModules)
    Missing = "the program loads too many libraries";
  else
    P.Context.Modules.assign(Modules.begin(), Modules.end());
  for (PlanPair &Pair : P.Pairs) {
    Pair.Validated = false;
    Pair.Joins = 0;
    Pair.Rejected.reset();
    if (!mergingIsOpen(Pair))
      continue;
    const Seen &S = Pairs[Pair.Id];
    Pair.Joins = S.Joins;
    Pair.Evidence["validated_rounds"] = double(S.Rounds);
    if (!Missing.empty())
      Pair.Rejected = Missing;
    else if (!S.Trap.empty())
      Pair.Rejected = S.Trap;
    else if (S.Rounds < LeastRounds)
      Pair.Rejected =
          fmt::format("only {} windows of GPU work were watched", S.Rounds);
    else
      Pair.Validated = true;
  }
}

} // namespace echo::drtool
