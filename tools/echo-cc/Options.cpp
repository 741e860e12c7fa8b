//===- Options.cpp - Echo's own options -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options are matched by their full name, so that an option of clang or nvcc
// is never taken for one of Echo.
//
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "Analysis/Api/Models.h"
#include "Support/Verdict.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern char **environ;

namespace echo {

namespace {
struct KnownVariable {
  StringRef Name, Who, Text;
};
} // namespace

static const KnownVariable KnownVariables[] = {
#define ECHO_ENV(Name, Who, Text) {Name, Who, Text},
#include "runtime/abi/EchoEnv.def"
};

Error checkEnvironment() {
  for (char **Entry = environ; *Entry; ++Entry) {
    StringRef Name = StringRef(*Entry).split('=').first;
    if (!Name.starts_with("ECHO_"))
      continue;
    unsigned Best = ~0u;
    StringRef Nearest;
    for (const KnownVariable &K : KnownVariables)
      if (unsigned D = Name.edit_distance(K.Name); D < Best) {
        Best = D;
        Nearest = K.Name;
      }
    if (Best != 0)
      return createStringError(
          "unknown environment variable '%s'; did you mean '%s'?",
          Name.str().c_str(), Nearest.str().c_str());
  }
  return Error::success();
}

/// Bytes with an optional K, M or G.
static Expected<uint64_t> parseBytes(StringRef Value, StringRef Option) {
  unsigned Shift = 0;
  StringRef Digits = Value;
  if (Digits.consume_back_insensitive("k"))
    Shift = 10;
  else if (Digits.consume_back_insensitive("m"))
    Shift = 20;
  else if (Digits.consume_back_insensitive("g"))
    Shift = 30;
  uint64_t Number = 0;
  if (Digits.getAsInteger(10, Number) || Number > (UINT64_MAX >> Shift))
    return createStringError(
        "invalid value '%s' of '%s': write a number of bytes, as 204800 or "
        "200K",
        Value.str().c_str(), Option.str().c_str());
  return Number << Shift;
}

static Error setOption(EchoOptions &O, StringRef Name, StringRef Shown,
                       StringRef Value) {
  if (Value.empty())
    return createStringError("'%s' needs a value", Shown.str().c_str());
  if (Name == "--report") {
    O.Report = Value.str();
  } else if (Name == "--report-json") {
    O.ReportJson = Value.str();
  } else if (Name == "--model") {
    O.Models.push_back(Value.str());
  } else if (Name == "--explain") {
    O.Explain = Value.str();
  } else if (Name == "--min-bytes") {
    Expected<uint64_t> Bytes = parseBytes(Value, Shown);
    if (!Bytes)
      return Bytes.takeError();
    O.MinBytes = *Bytes;
  } else if (Name == "--device") {
    if (Value != "cpu" && Value != "cuda")
      return createStringError("invalid value '%s' of '%s': use cpu or cuda",
                               Value.str().c_str(), Shown.str().c_str());
    O.CpuDevice = Value == "cpu";
    O.CudaDevice = !O.CpuDevice;
  }
  return Error::success();
}

static Error readEnvironment(EchoOptions &O) {
  for (auto [Variable, Name] :
       {std::pair<StringRef, StringRef>{"ECHO_REPORT", "--report"},
        {"ECHO_REPORT_JSON", "--report-json"},
        {"ECHO_MIN_BYTES", "--min-bytes"},
        {"ECHO_DEVICE", "--device"}})
    if (auto Value = sys::Process::GetEnv(Variable); Value && !Value->empty())
      if (Error E = setOption(O, Name, Variable, *Value))
        return E;
  if (auto Value = sys::Process::GetEnv("ECHO_NO_UNIFY");
      Value && !Value->empty() && *Value != "0")
    O.Unify = false;
  return Error::success();
}

Expected<EchoOptions> takeEchoOptions(std::vector<std::string> &Args) {
  static const StringRef WithValue[] = {"--report",    "--report-json",
                                        "--model",     "--explain",
                                        "--min-bytes", "--device"};
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
    if (Arg == "--repair" || Arg == "--unify-wrapped") {
      (Arg == "--repair" ? O.Repair : O.UnifyWrapped) = true;
      continue;
    }
    if (Arg == "--check") {
      O.Check = true;
      continue;
    }
    if (Arg == "--no-unify" || Arg == "--no-whole-program") {
      (Arg == "--no-unify" ? O.Unify : O.WholeProgram) = false;
      continue;
    }
    auto [Name, Value] = Arg.split('=');
    if (!is_contained(WithValue, Name)) {
      Rest.push_back(Args[I]);
      continue;
    }
    if (Name == Arg) {
      if (I + 1 == Args.size())
        return createStringError("'%s' needs a value", Args[I].c_str());
      Value = Args[++I];
    }
    if (Error E = setOption(O, Name, Name, Value))
      return std::move(E);
  }
  Args = std::move(Rest);
  if (O.Check && O.CudaDevice)
    return createStringError(
        "--check follows buffers on the CPU device: use --device=cpu, or leave "
        "--device out");
  if (O.Check) {
    O.CpuDevice = true;
    O.Unify = O.WholeProgram = false;
  }
  return O;
}

void printOptions() {
  outs() << "OVERVIEW: Echo, a CUDA compiler that removes copies between "
            "buffers that can be one\n\n"
            "ECHO'S OPTIONS (clang's and nvcc's work too):\n";
  for (auto [Option, Text] :
       {std::pair<StringRef, StringRef>{
            "--report FILE", "write what was decided about each pair"},
        {"--report-json FILE", "the same for programs"},
        {"--no-unify", "report only, merge nothing"},
        {"--check", "merge nothing; the program tells which pairs its run "
                    "refutes (CPU device)"},
        {"--repair", "add waits where one lets a pair merge"},
        {"--no-whole-program",
         "several sources in one command: decide about each alone"},
        {"--unify-wrapped",
         "merge though --wrap asks for calls that merged pairs leave out"},
        {"--min-bytes N", "skip smaller pairs (default 200K)"},
        {"--model FILE", "describe functions whose bodies are not visible"},
        {"--device cpu|cuda", "compile kernels for the CPU or the GPU"},
        {"--explain ID", "explain a reason of a report"}})
    outs() << "  " << left_justify(Option, 22) << Text << '\n';
  outs() << "\nENVIRONMENT:\n";
  for (const KnownVariable &K : KnownVariables)
    outs() << "  " << left_justify(K.Name, 22) << K.Text << " (" << K.Who
           << ")\n";
  outs() << '\n';
}

int explainReason(StringRef Id) {
  const BlockerInfo *Reason = findBlocker(Id);
  if (!Reason) {
    errs() << "echo-cc: error: no reason is called '" << Id
           << "'; the reasons are:\n";
    for (const BlockerInfo *B : allBlockers())
      errs() << "  " << left_justify(B->Id, 26) << B->Summary << '\n';
    return 1;
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

/// Reports are replaced by a rename, so the folder must be writable too.
static Error checkReport(const std::string &Path, const char *Option) {
  if (Path.empty())
    return Error::success();
  auto Fail = [&](const std::string &Why) {
    return createStringError("cannot write '%s' (%s): %s", Path.c_str(), Option,
                             Why.c_str());
  };
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status)) {
    if (sys::fs::is_directory(Status))
      return Fail("it is a folder");
    if (!sys::fs::is_regular_file(Status))
      return Fail("it is no regular file");
    if (std::error_code EC = sys::fs::access(Path, sys::fs::AccessMode::Write))
      return Fail(EC.message());
  }
  SmallString<128> Folder(Path);
  sys::path::remove_filename(Folder);
  if (Folder.empty())
    Folder = ".";
  if (!sys::fs::is_directory(Folder))
    return Fail("there is no folder '" + std::string(Folder) + "'");
  if (std::error_code EC = sys::fs::access(Folder, sys::fs::AccessMode::Write))
    return Fail("folder '" + std::string(Folder) + "': " + EC.message());
  return Error::success();
}

Error checkFiles(const EchoOptions &Options,
                 const std::vector<std::string> &BuiltinModels) {
  if (Error E = checkReport(Options.Report, "--report"))
    return E;
  if (Error E = checkReport(Options.ReportJson, "--report-json"))
    return E;
  ModelTable Models;
  for (const std::string &File : BuiltinModels)
    if (Error E = Models.addFile(File, [](StringRef) { return false; }))
      return E;
  for (const std::string &File : Options.Models)
    if (Error E = Models.addFile(File))
      return E;
  return Error::success();
}

} // namespace echo
