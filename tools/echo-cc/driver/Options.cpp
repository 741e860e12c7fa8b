//===- Options.cpp - Echo's own options -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options are matched by their full name, so that an option of clang or nvcc
// is never taken for one of Echo.
//
//===----------------------------------------------------------------------===//
#include "driver/Options.h"
#include "Report/KeptReport.h"
#include "Report/Report.h"
#include "Support/Verdict.h"
#include "runtime/abi/ByteCount.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern char **environ;

namespace echo {

static constexpr StringRef KnownVariables[] = {
#define ECHO_ENV(Name, Who, Text) Name,
#include "runtime/abi/EchoEnv.def"
};

/// Letters that a typing mistake changes at most.
static constexpr unsigned MostMistyped = 2;

Expected<std::vector<std::string>> checkEnvironment() {
  std::vector<std::string> Foreign;
  for (char **Entry = environ; *Entry; ++Entry) {
    StringRef Name = StringRef(*Entry).split('=').first;
    if (!Name.starts_with("ECHO_"))
      continue;
    unsigned Best = ~0u;
    StringRef Nearest;
    for (StringRef Known : KnownVariables)
      if (unsigned D = Name.edit_distance(Known); D < Best) {
        Best = D;
        Nearest = Known;
      }
    if (Best && Best <= MostMistyped)
      return createStringError(
          "unknown environment variable '%s'; did you mean '%s'?",
          Name.str().c_str(), Nearest.str().c_str());
    if (Best)
      Foreign.push_back(Name.str());
  }
  return Foreign;
}

static Expected<uint64_t> parseBytes(StringRef Value, StringRef Option) {
  uint64_t Bytes = 0;
  if (!readByteCount(Value.str().c_str(), Bytes))
    return createStringError(
        "invalid value '%s' of '%s': write a number of bytes, as 204800 or "
        "200K",
        Value.str().c_str(), Option.str().c_str());
  return Bytes;
}

// Each sets what a row of Options.def names; Option is for the error.
static Error setMember(std::string &Member, StringRef Value, StringRef) {
  Member = Value.str();
  return Error::success();
}
static Error setMember(std::optional<std::string> &Member, StringRef Value,
                       StringRef) {
  Member = Value.str();
  return Error::success();
}
static Error setMember(std::vector<std::string> &Member, StringRef Value,
                       StringRef) {
  Member.push_back(Value.str());
  return Error::success();
}
static Error setMember(uint64_t &Member, StringRef Value, StringRef Option) {
  return parseBytes(Value, Option).moveInto(Member);
}
static Error setMember(DeviceChoice &Member, StringRef Value,
                       StringRef Option) {
  if (Value != "cpu" && Value != "cuda")
    return createStringError("invalid value '%s' of '%s': use cpu or cuda",
                             Value.str().c_str(), Option.str().c_str());
  Member.Cpu = Value == "cpu";
  Member.Cuda = !Member.Cpu;
  return Error::success();
}

namespace {
/// A row of Options.def. One without an argument is a switch.
struct OptionRow {
  StringRef Option, Argument, Variable, Text;
  bool IsOptional; ///< the argument
  Error (*Set)(EchoOptions &O, StringRef Value, StringRef Shown);
};
} // namespace

static const OptionRow OptionRows[] = {
#define ECHO_SWITCH(Option, Member, To, Text)                                  \
  {Option,                                                                     \
   "",                                                                         \
   "",                                                                         \
   Text,                                                                       \
   false,                                                                      \
   [](EchoOptions &O, StringRef, StringRef) -> Error {                         \
     O.Member = To;                                                            \
     return Error::success();                                                  \
   }},
#define ECHO_OPTION(Option, Argument, Variable, Member, Text)                  \
  {Option,                                                                     \
   Argument,                                                                   \
   Variable,                                                                   \
   Text,                                                                       \
   false,                                                                      \
   [](EchoOptions &O, StringRef Value, StringRef Shown) -> Error {             \
     return setMember(O.Member, Value, Shown);                                 \
   }},
#define ECHO_OPTIONAL(Option, Argument, Switch, Member, Text)                  \
  {Option,                                                                     \
   Argument,                                                                   \
   "",                                                                         \
   Text,                                                                       \
   true,                                                                       \
   [](EchoOptions &O, StringRef Value, StringRef Shown) -> Error {             \
     O.Switch = true;                                                          \
     return setMember(O.Member, Value, Shown);                                 \
   }},
#include "driver/Options.def"
};

static Error readEnvironment(EchoOptions &O) {
  for (const OptionRow &Row : OptionRows)
    if (!Row.Variable.empty())
      if (auto Value = sys::Process::GetEnv(Row.Variable);
          Value && !Value->empty())
        if (Error E = Row.Set(O, *Value, Row.Variable))
          return E;
  if (auto Value = sys::Process::GetEnv("ECHO_NO_UNIFY");
      Value && !Value->empty() && *Value != "0")
    O.Host.Unify = false;
  return Error::success();
}

/// The row that \p Arg names, with or without `=value`; nullptr: none of ours.
static const OptionRow *findRow(StringRef Arg) {
  for (const OptionRow &Row : OptionRows)
    if (Row.Option == (Row.Argument.empty() ? Arg : Arg.split('=').first))
      return &Row;
  return nullptr;
}

/// An estimate is a part of a report that is made.
static Error checkEstimate(const EchoOptions &O) {
  if (!O.ReportOf.empty())
    return createStringError("--report-of prints what was kept: give "
                             "--estimate to the compilation");
  if (O.Host.ReportText.empty() && O.Host.ReportJson.empty())
    return createStringError("--estimate adds to a report: name one with "
                             "--report FILE or --report-json FILE");
  return Error::success();
}

Expected<EchoOptions> takeEchoOptions(std::vector<std::string> &Args) {
  EchoOptions O;
  if (Error E = readEnvironment(O))
    return std::move(E);
  std::vector<std::string> Rest;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--") {
      Rest.insert(Rest.end(), Args.begin() + I, Args.end());
      break;
    }
    const OptionRow *Row = findRow(Arg);
    if (!Row) {
      Rest.push_back(Args[I]);
      continue;
    }
    StringRef Value;
    if (!Row->Argument.empty() && !(Row->IsOptional && Arg == Row->Option)) {
      Value = Arg.split('=').second;
      if (Arg == Row->Option && I + 1 < Args.size())
        Value = Args[++I];
      if (Value.empty())
        return createStringError(
            "'%s' needs a value",
            (Row->Option + (Row->IsOptional ? "=" : "")).str().c_str());
    }
    if (Error E = Row->Set(O, Value, Row->Option))
      return std::move(E);
  }
  Args = std::move(Rest);
  for (std::string *Report : {&O.Host.ReportText, &O.Host.ReportJson})
    if (*Report == "-")
      *Report = "/dev/stdout";
  O.Host.Estimate |= !O.Host.Run.empty();
  if (O.Host.Estimate)
    if (Error E = checkEstimate(O))
      return std::move(E);
  if (!O.Host.Check)
    return O;
  if (!O.Suggest.empty())
    return createStringError(
        "--check decides about no pair at compile time: leave --suggest out");
  if (O.Device.Cuda)
    return createStringError(
        "--check follows buffers on the CPU device: use --device=cpu, or leave "
        "--device out");
  O.Device.Cpu = true;
  O.Host.Unify = false;
  return O;
}

int explainReason(StringRef Id) {
  const BlockerInfo *Reason = findBlocker(Id);
  if (!Reason) {
    const bool Asked = Id == "list";
    if (!Asked)
      errs() << "echo-cc: error: no reason is called '" << Id
             << "'; the reasons are:\n";
    for (const BlockerInfo *B : allBlockers())
      (Asked ? outs() : errs())
          << "  " << left_justify(B->Id, 26) << B->Summary << '\n';
    return !Asked;
  }
  outs() << Reason->Id << " (" << Reason->Condition << ")\n"
         << Reason->Summary << "\n\n"
         << Reason->Explanation << '\n';
  if (*Reason->Suggestion)
    outs() << "\ntry: " << Reason->Suggestion << '\n';
  if (StringRef Example = exampleOf(Reason->Kind); !Example.empty())
    outs()
        << "\nexample: declined with the lines -, merged with the lines +\n\n"
        << Example;
  return 0;
}

Error showReports(const EchoOptions &Options, ArrayRef<std::string> More) {
  std::vector<KeptReport> All;
  for (ArrayRef<std::string> Files : {ArrayRef(Options.ReportOf), More})
    for (const std::string &File : Files) {
      Expected<std::vector<KeptReport>> Found = keptReports(File);
      if (!Found)
        return Found.takeError();
      llvm::move(*Found, std::back_inserter(All));
    }
  const HostOptions &To = Options.Host;
  const StringRef Text = To.ReportText;
  if (Text.ends_with(".html") || Text.ends_with(".sarif"))
    return createStringError("cannot write '%s': reports that objects carry "
                             "are written as text, or by --report-json as JSON",
                             To.ReportText.c_str());
  if (To.ReportText.empty() && To.ReportJson.empty())
    printKept(All, outs());
  for (const KeptReport &Kept : All) {
    if (!To.ReportText.empty())
      if (Error E = updateReport(To.ReportText, Kept))
        return E;
    if (!To.ReportJson.empty())
      if (Error E = updateJsonReport(To.ReportJson, Kept))
        return E;
  }
  return Error::success();
}

} // namespace echo
