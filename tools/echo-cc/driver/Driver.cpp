//===- Driver.cpp - Runs one command line of echo-cc ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: Echo's options, toolkit, nvcc's options, clang's driver, jobs. What
// can fail without compiling is checked before anything is compiled.
//
//===----------------------------------------------------------------------===//
#include "driver/Driver.h"
#include "Pipeline/LinkUnit.h"
#include "Report/Report.h"
#include "Report/ReportUnits.h"
#include "cc1/HostSource.h"
#include "cc1/PhaseTimes.h"
#include "driver/CommandLine.h"
#include "driver/Help.h"
#include "driver/Jobs.h"
#include "driver/Notes.h"
#include "driver/Options.h"
#include "driver/Paths.h"
#include "driver/Toolkit.h"
#include "driver/Version.h"
#include "link/DeviceLink.h"
#include "link/LinkPremises.h"
#include "link/LinkTime.h"
#include "nvcc/DryRun.h"
#include "nvcc/NvccFlags.h"
#include "suggest/Suggest.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/ChainedDiagnosticConsumer.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/SerializedDiagnosticPrinter.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace clang;

namespace echo {

namespace {
/// Clang's diagnostics for the driver, with the user's -W flags applied.
class Reporter {
public:
  Reporter(ArrayRef<const char *> Words, vfs::FileSystem &VFS);
  DiagnosticsEngine &engine() { return *Engine; }
  /// Reports \p E; returns the exit status.
  int fail(Error E);
  /// Writes what is written at the end, once.
  void finish();

private:
  bool Finished = false;
  std::unique_ptr<DiagnosticOptions> Options;
  std::unique_ptr<DiagnosticsEngine> Engine;
};
} // namespace

Reporter::Reporter(ArrayRef<const char *> Words, vfs::FileSystem &VFS)
    : Options(CreateAndPopulateDiagOpts(Words)) {
  Options->DiagnosticSuppressionMappingsFile.clear();
  auto *Printer = new TextDiagnosticPrinter(errs(), *Options);
  Printer->setPrefix(std::string(sys::path::stem(Words[0])));
  Engine = std::make_unique<DiagnosticsEngine>(DiagnosticIDs::create(),
                                               *Options, Printer);
  if (!Options->DiagnosticSerializationFile.empty())
    Engine->setClient(new ChainedDiagnosticConsumer(
        Engine->takeClient(),
        serialized_diags::create(Options->DiagnosticSerializationFile, *Options,
                                 /*MergeChildRecords=*/true)));
  ProcessWarningOptions(*Engine, *Options, VFS, /*ReportDiags=*/false);
  // Echo says it in its own words, once.
  Engine->setSeverityForGroup(diag::Flavor::WarningOrError,
                              "unknown-cuda-version", diag::Severity::Ignored);
}

int Reporter::fail(Error E) {
  unsigned Id = Engine->getCustomDiagID(DiagnosticsEngine::Error, "%0");
  Engine->Report(Id) << toString(std::move(E));
  finish();
  return 1;
}

void Reporter::finish() {
  if (!std::exchange(Finished, true))
    Engine->getClient()->finish();
}

/// The last --cuda-path of \p Args, or "".
static std::string userCudaPath(ArrayRef<std::string> Args) {
  std::string Path;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg.consume_front("--cuda-path="))
      Path = Arg.str();
    else if (Arg == "--cuda-path" && I + 1 < Args.size())
      Path = Args[I + 1];
  }
  return Path;
}

namespace {
/// One command line on its way to clang.
struct CommandState {
  Paths Where;
  EchoOptions Options;
  ToolkitInfo Toolkit;
  std::string NoToolkit;                     ///< why none was found
  std::vector<std::string> ForeignVariables; ///< of checkEnvironment()
  Translated Nvcc;
  bool NvccArch = false; ///< all architectures were spelt as nvcc's
  CommandShape Shape;
  LinkParts Link;
  PrivateFiles Files;
  HostSource Source; ///< of -cuda
  PhaseTimes Times;  ///< of --time
};
} // namespace

/// Finds the toolkit. That there is none matters to CUDA sources only.
static void findToolkit(CommandState &S, StringRef Argv0,
                        ArrayRef<std::string> Args) {
  Expected<ToolkitInfo> Found = findToolkit(userCudaPath(Args), Argv0);
  if (!Found) {
    S.NoToolkit = toString(Found.takeError());
    return;
  }
  S.Toolkit = *Found;
  S.NoToolkit =
      "cannot find a CUDA toolkit, which a CUDA source needs: install one "
      "(Debian: nvidia-cuda-toolkit), or name it with --cuda-path=DIR or "
      "CUDA_HOME";
}

static Error translateNvcc(CommandState &S, std::vector<std::string> &Args) {
  ArchLimits Limits;
  Limits.MinSM = S.Toolkit.MinArch;
  Limits.MaxSM = S.Toolkit.MaxArch;
  Limits.Native = [&] { return nativeArchs(S.Where.LlvmBin + "/nvptx-arch"); };
  Expected<Translated> Nvcc = translateNvccFlags(Args, Limits);
  if (!Nvcc)
    return Nvcc.takeError();
  S.Nvcc = std::move(*Nvcc);
  auto NamesArch = [](const std::vector<std::string> &List) {
    return llvm::any_of(List, [](StringRef Arg) {
      return Arg.contains("offload-arch") || Arg.contains("cuda-gpu-arch");
    });
  };
  S.NvccArch = !NamesArch(Args) && NamesArch(S.Nvcc.Args);
  Args = S.Nvcc.Args;
  leaveOutArchs(Args, S.Toolkit.MinArch, S.Nvcc.Notes);
  renameCudaLanguage(Args);
  return Error::success();
}

/// Takes the parts of the processor that is compiled for, where that is another
/// one. Its runtimes may be left out by what neither merges nor runs here.
static Error setTarget(CommandState &S) {
  const bool Found = S.Where.setTarget(S.Shape.Target);
  if (S.Where.RunDir == S.Where.LibDir)
    return Error::success();
  const Triple Target(S.Shape.Target);
  S.Toolkit.LibDir = crossLibDir(S.Toolkit, Target.getArchName());
  const bool Needed =
      S.Options.Device.Cpu || (S.Options.Host.Unify && S.Shape.Links);
  if (Found || !Needed || !(S.Shape.HasCuda || S.Shape.MayNeedCudart))
    return Error::success();
  const bool HasPreset = Target.getArchName() == "aarch64";
  return createStringError(
      "this Echo has no runtimes for %s in '%s'%s%s",
      Target.getArchName().str().c_str(), S.Where.RunDir.c_str(),
      HasPreset
          ? ": build them with 'cmake --preset aarch64-cross' and put its "
            "lib/echo there"
          : "",
      S.Options.Device.Cpu ? "" : "; --no-unify needs none");
}

/// What can be known to fail before clang looks at the command.
static Error checkCommand(const CommandState &S) {
  if (!S.Shape.HasCuda)
    return Error::success();
  if (!S.Toolkit.found())
    return createStringError("%s", S.NoToolkit.c_str());
  if (S.Shape.CudaFromStdin && !S.Shape.Preprocesses && !S.Shape.DeviceOnly)
    return createStringError(
        "cannot compile CUDA from standard input, which the host and the "
        "device job would both read; write it to a file");
  return checkFiles(S.Options, S.Where.Models);
}

static void printNotes(CommandState &S) {
  if (S.Shape.Silent)
    return;
  for (const std::string &Note : S.Nvcc.Notes)
    printNote(Note);
  for (const std::string &Name : S.ForeignVariables)
    printNote("the environment variable '" + Name + "' is not Echo's");
  // Once a build, as links are fewer than compilations.
  if ((S.Shape.HasCuda || S.Shape.MayNeedCudart) && S.Shape.Links &&
      S.Toolkit.Major * 10 + S.Toolkit.Minor > 129)
    printNote("CUDA " + S.Toolkit.versionText() +
              " is newer than this compiler's own support (12.9); it is used "
              "as 12.9");
}

/// What the linker that runs next is told of the link; "": nothing.
static std::string linkOptions(const clang::driver::Compilation &C,
                               const CommandState &S) {
  if (!linksUnits(S.Shape, S.Link))
    return "";
  StringRef Output =
      C.getArgs().getLastArgValue(clang::options::OPT_o, "a.out");
  return toText(hostOptions(S.Options, S.Where, Output,
                            S.Nvcc.PerThreadStream || S.Shape.PerThreadStream));
}

/// A report that is a stream gets its totals when all units are compiled.
static Error startTotals(CommandState &S) {
  if (S.Options.Host.ReportText.empty() || !isStream(S.Options.Host.ReportText))
    return Error::success();
  Expected<std::string> File = S.Files.create("report");
  if (!File)
    return File.takeError();
  S.Options.Host.Totals = *File;
  return Error::success();
}

/// Writes them.
static Error finishTotals(const CommandState &S) {
  const HostOptions &O = S.Options.Host;
  return O.Totals.empty() ? Error::success()
                          : writeTotals(O.ReportText, O.Totals);
}

/// Makes the jobs of \p C Echo's.
static Error completeJobs(clang::driver::Compilation &C, CommandState &S) {
  if (Error E = startTotals(S))
    return E;
  JobSettings Settings{S.Options,
                       S.Toolkit,
                       S.Where,
                       S.Nvcc.PerThreadStream || S.Shape.PerThreadStream,
                       S.Nvcc.AsNvcc,
                       S.Shape.Rdc,
                       S.Link.complete() && !S.Options.Host.Check &&
                           !(S.Shape.Links && S.Shape.OtherLinker),
                       S.Shape.Links};
  return editJobs(C, Settings, S.Files);
}

/// Starts to take the times that --time asks for.
static Error startTimes(CommandState &S) {
  return S.Nvcc.TimeFile.empty() ? Error::success()
                                 : S.Times.open(S.Nvcc.TimeFile);
}

/// Writes them, of a command with \p Status and \p Output.
static Error writeTimes(const CommandState &S, int Status, StringRef Output) {
  if (!S.Times.isOpen())
    return Error::success();
  return S.Times.write(Status ? std::nullopt : std::optional(Output));
}

/// Prints the jobs of \p C in place of running them.
static void printDryRun(const clang::driver::Compilation &C,
                        const CommandState &S) {
  printJobs(errs(), C, S.Files, linkOptions(C, S));
  if (S.Nvcc.HostSource)
    printHostSource(errs(), S.Source.assembly(), S.Source.output());
  printRemoval(errs(), C, S.Files);
}

/// Finds and writes what --suggest asks for.
static Error searchSuggestions(clang::driver::Compilation &C,
                               const CommandState &S, PrivateFiles &Files) {
  const std::vector<std::string> &To = S.Options.Suggest;
  if (To.empty())
    return Error::success();
  if (S.Shape.Lto && S.Link.complete())
    return createStringError("--suggest looks at each unit by itself: leave "
                             "-flto out of this command");
  Expected<suggest::Summary> Found = suggest::suggest(C, To, Files);
  if (!Found)
    return Found.takeError();
  if (!S.Shape.Silent)
    printNote(Twine(Found->Suggested) + " of " + Twine(Found->Declined) +
              (Found->Declined == 1 ? " declined pair" : " declined pairs") +
              " would merge with the changes in '" + join(To, "', '") + "'" +
              (Found->Copies
                   ? ", which give a pair to " + Twine(Found->Copies) +
                         (Found->Copies == 1 ? " copy" : " copies") + " more"
                   : Twine()));
  return Error::success();
}

/// Builds the jobs of \p Words with clang's driver and runs them.
static int runJobs(clang::driver::Driver &Clang, ArrayRef<const char *> Words,
                   CommandState &S, Reporter &Report) {
  std::unique_ptr<clang::driver::Compilation> C(Clang.BuildCompilation(Words));
  if (!C || C->containsError() || Report.engine().hasErrorOccurred())
    return 1;
  printNotes(S);
  if (Error E = completeJobs(*C, S))
    return Report.fail(std::move(E));
  const bool Runs = !S.Nvcc.DryRun &&
                    !C->getArgs().hasArg(clang::options::OPT__HASH_HASH_HASH);
  const LinkPremises Premises(S.Where, S.Options, S.Toolkit, S.Shape);
  const bool AreSeveral = !S.Shape.Lto && S.Shape.Sources > 1;
  if (Runs && AreSeveral)
    Premises.addWhenMade(*C, [&](Error E) { Report.fail(std::move(E)); });
  else if (Error E = Premises.add(*C, /*AllMade=*/false))
    return Report.fail(std::move(E));
  if (S.Nvcc.DryRun) {
    printDryRun(*C, S);
    return 0;
  }
  if (Runs)
    if (Error E = searchSuggestions(*C, S, S.Files))
      return Report.fail(std::move(E));
  if (std::string Text = linkOptions(*C, S); !Text.empty())
    setenv(LinkOptionsVariable, Text.c_str(), /*overwrite=*/1);
  if (Runs)
    if (Error E = startTimes(S))
      return Report.fail(std::move(E));
  if (S.Times.isOpen())
    S.Times.watch(*C);
  SmallVector<std::pair<int, const clang::driver::Command *>, 4> Failing;
  int Status = Clang.ExecuteCompilation(*C, Failing);
  if (Error E = finishTotals(S))
    return Report.fail(std::move(E));
  for (const auto &[Code, Job] : Failing) {
    if (!Status)
      Status = Code;
    // As clang: a crash or its 70 is worth a bug report.
    if (Code < 0 || Code == 70) {
      Clang.generateCompilationDiagnostics(*C, *Job);
      break;
    }
  }
  if (Error E = writeTimes(S, Status,
                           C->getArgs().getLastArgValue(clang::options::OPT_o)))
    return Report.fail(std::move(E));
  return Status < 0 ? 1 : Status;
}

namespace {
/// The compilations of one command line.
class CommandRun {
public:
  CommandRun(CommandState &S, Reporter &Report, bool Cxx,
             IntrusiveRefCntPtr<vfs::FileSystem> VFS,
             SmallVectorImpl<const char *> &Words)
      : S(S), Report(Report), Cxx(Cxx), VFS(std::move(VFS)), Words(Words) {}

  /// Compiles and links as \p Args say; returns the exit status.
  int run(std::vector<std::string> &Args);

private:
  /// One for each compilation: its toolchains refer to that one's arguments.
  std::unique_ptr<clang::driver::Driver> makeDriver();

  CommandState &S;
  Reporter &Report;
  bool Cxx;
  IntrusiveRefCntPtr<vfs::FileSystem> VFS;
  SmallVectorImpl<const char *> &Words; ///< the reporter reads them
};
} // namespace

std::unique_ptr<clang::driver::Driver> CommandRun::makeDriver() {
  auto Clang = std::make_unique<clang::driver::Driver>(
      S.Where.clang(), sys::getDefaultTargetTriple(), Report.engine(),
      "clang LLVM compiler", VFS);
  Clang->setTargetAndMode(
      clang::driver::ToolChain::getTargetAndModeFromProgramName(Cxx ? "clang++"
                                                                    : "clang"));
  return Clang;
}

int CommandRun::run(std::vector<std::string> &Args) {
  S.Shape = describeCommand(*makeDriver(), Args);
  S.Shape.NvccArch = S.NvccArch;
  S.Shape.AsNvcc = S.Nvcc.AsNvcc;
  // CMake asks for the toolkit with -v and a file that is not there.
  if (S.Nvcc.DryRun ||
      (S.Shape.Verbose && (S.Shape.HasCuda || S.Shape.NamesNoFile)))
    printVariables(errs(), S.Toolkit, S.Where);
  if (Error E = checkCommand(S))
    return Report.fail(std::move(E));
  if (Error E = setTarget(S))
    return Report.fail(std::move(E));
  S.Link = findLinkParts(S.Where);
  if (S.Shape.Lto && S.Options.Host.Unify && !S.Link.complete() &&
      (S.Shape.HasCuda || S.Shape.HasCudaBitcode))
    return Report.fail(createStringError(
        "-flto needs EchoLink.so in '%s' and ld.lld in '%s': install Echo as a "
        "whole, or leave -flto out",
        S.Where.LibDir.c_str(), S.Where.LlvmBin.c_str()));
  if (linksUnits(S.Shape, S.Link))
    addLinkParts(Args, S.Link);
  if (Error E = completeCommand(Args, S.Shape, S.Options, S.Toolkit, S.Where,
                                S.Nvcc.CudaRt.value_or("static")))
    return Report.fail(std::move(E));
  std::string Program = S.Where.clang();
  Words.assign({Program.c_str()});
  if (Cxx)
    Words.push_back("--driver-mode=g++");
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  return runJobs(*makeDriver(), Words, S, Report);
}

/// Prints what \p Args only ask about. False: there is something to do.
static bool answersAtOnce(const CommandState &S,
                          const std::vector<std::string> &Args) {
  if (S.Nvcc.Listed)
    outs() << *S.Nvcc.Listed;
  else if (llvm::is_contained(Args, "--version"))
    printVersion(S.Where, S.Toolkit);
  else
    return false;
  return true;
}

/// nvcc's -dlink. Returns the exit status.
static Expected<int> linkDeviceCode(CommandState &S,
                                    const std::vector<std::string> &Args) {
  if (!S.Toolkit.found())
    return createStringError("%s", S.NoToolkit.c_str());
  Expected<DeviceLink> Link =
      planDeviceLink(Args, S.Options.Device.Cpu, S.Toolkit, S.Where);
  if (!Link)
    return Link.takeError();
  SmallVector<StringRef, 32> Words(Link->Command.begin(), Link->Command.end());
  if (S.Nvcc.DryRun) {
    printVariables(errs(), S.Toolkit, S.Where);
    printCommand(errs(), Words);
    return 0;
  }
  if (Error E = startTimes(S))
    return std::move(E);
  const int Status = S.Times.measure(
      {Link->Inputs.front(),
       (sys::path::filename(Words.front()) + " (linking)").str(),
       join(Link->Inputs, " "),
       Link->Output,
       "",
       {}},
      [&] { return sys::ExecuteAndWait(Words.front(), Words); });
  if (Error E = writeTimes(S, Status, Link->Output))
    return std::move(E);
  return Status;
}

/// nvcc's --run of a program that is there. Returns its exit status.
static Expected<int> runProgram(const CommandState &S,
                                const std::vector<std::string> &Args) {
  SmallVector<StringRef, 1> Inputs;
  llvm::copy_if(Args, std::back_inserter(Inputs),
                [](StringRef Arg) { return !Arg.starts_with("-"); });
  // nvcc gives the words to a shell, which Meson counts on.
  if (Inputs.size() == 1 && Inputs[0].size() > 1 && Inputs[0].front() == '"' &&
      Inputs[0].back() == '"')
    Inputs[0] = Inputs[0].drop_front().drop_back();
  if (Inputs.size() != 1 || !sys::fs::can_execute(Inputs[0]))
    return createStringError(
        "'--run' runs one executable that is there: compile with -o first");
  SmallString<128> Program(Inputs[0]);
  if (std::error_code Error = sys::fs::make_absolute(Program))
    return createStringError(Error, "'--run': no working folder");
  const char *Name = "LD_LIBRARY_PATH";
  std::string Folders = sys::Process::GetEnv(Name).value_or("");
  if (!S.Toolkit.LibDir.empty())
    Folders = S.Toolkit.LibDir + (Folders.empty() ? "" : ":" + Folders);
  SmallVector<StringRef, 8> Words = {Program};
  Words.append(S.Nvcc.RunArgs.begin(), S.Nvcc.RunArgs.end());
  if (S.Nvcc.DryRun) {
    printVariables(errs(), S.Toolkit, S.Where);
    printCommand(errs(), Words, CommandVariable{Name, Folders});
    return 0;
  }
  if (!Folders.empty())
    ::setenv(Name, Folders.c_str(), /*replace=*/1);
  std::string Why;
  const int Status = sys::ExecuteAndWait(Program, Words, std::nullopt, {},
                                         /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &Why);
  if (Status < 0)
    return createStringError("'" + Program + "': " + Why);
  return Status;
}

int runDriver(const char *Argv0, std::vector<std::string> Args) {
  bool Cxx = sys::path::filename(Argv0).ends_with("++");
  IntrusiveRefCntPtr<vfs::FileSystem> VFS = vfs::getRealFileSystem();
  SmallVector<const char *, 256> Words = {Cxx ? "echo-c++" : "echo-cc"};
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  Reporter Report(Words, *VFS);

  Expected<std::vector<std::string>> Foreign = checkEnvironment();
  if (!Foreign)
    return Report.fail(Foreign.takeError());
  Expected<EchoOptions> Options = takeEchoOptions(Args);
  if (!Options)
    return Report.fail(Options.takeError());
  if (Options->Explain)
    return explainReason(*Options->Explain);
  if (!Options->ReportOf.empty()) {
    Error E = showReports(*Options, Args);
    return E ? Report.fail(std::move(E)) : 0;
  }
  Expected<bool> Helped = printHelp(Args);
  if (!Helped)
    return Report.fail(Helped.takeError());
  if (*Helped)
    return 0;

  CommandState S;
  S.Where = findPaths(Argv0);
  S.Options = std::move(*Options);
  if (S.Options.PrintLinkFlags) {
    outs() << "-B" << S.Where.LibDir << "/ld";
    if (S.Options.Host.Check)
      for (const std::string &Word : checkLibraryWords(S.Where))
        outs() << " -Xlinker " << Word;
    outs() << '\n';
    return 0;
  }
  S.ForeignVariables = std::move(*Foreign);
  findToolkit(S, Argv0, Args);
  if (Error E = translateNvcc(S, Args))
    return Report.fail(std::move(E));
  if (answersAtOnce(S, Args))
    return 0;
  if (!S.Nvcc.Runs)
    completeSearchPath();
  if (S.Nvcc.Dlink || S.Nvcc.Runs) {
    Expected<int> Status =
        S.Nvcc.Runs ? runProgram(S, Args) : linkDeviceCode(S, Args);
    return Status ? *Status : Report.fail(Status.takeError());
  }

  if (S.Nvcc.HostSource)
    if (Error E = S.Source.prepare(Args, S.Files))
      return Report.fail(std::move(E));

  int Status = CommandRun(S, Report, Cxx, VFS, Words).run(Args);
  if (!Status && S.Nvcc.HostSource && !S.Nvcc.DryRun &&
      !llvm::is_contained(Args, "-###"))
    if (Error E = S.Source.write())
      return Report.fail(std::move(E));
  Report.finish();
  return Status;
}

} // namespace echo
