//===- Driver.cpp - Runs one command line of echo-cc ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: Echo's options, toolkit, nvcc's options, clang's driver, jobs. What
// can fail without compiling is checked before anything is compiled.
//
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include "CommandLine.h"
#include "DeviceLink.h"
#include "Jobs.h"
#include "NvccFlags.h"
#include "Options.h"
#include "Paths.h"
#include "Toolkit.h"
#include "Version.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/ChainedDiagnosticConsumer.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/SerializedDiagnosticPrinter.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace clang;

namespace echo {

namespace {
/// Clang's diagnostics for the driver, with the user's -W flags applied.
class Reporter {
public:
  Reporter(ArrayRef<const char *> Words, vfs::FileSystem &VFS);
  DiagnosticsEngine &engine() { return *Engine; }
  int fail(Error E);
  void note(const Twine &Text);

private:
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
  Engine->getClient()->finish();
  return 1;
}

void Reporter::note(const Twine &Text) {
  // A note of clang's must follow a diagnostic; these stand alone.
  errs() << "echo-cc: note: " << Text << '\n';
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

static Error missingToolkit() {
  return createStringError(
      "cannot find a CUDA toolkit, which a CUDA source needs: install one "
      "(Debian: nvidia-cuda-toolkit), or name it with --cuda-path=DIR or "
      "CUDA_HOME");
}

int runDriver(const char *Argv0, std::vector<std::string> Args) {
  bool Cxx = sys::path::filename(Argv0).ends_with("++");
  IntrusiveRefCntPtr<vfs::FileSystem> VFS = vfs::getRealFileSystem();
  SmallVector<const char *, 256> Words = {Cxx ? "echo-c++" : "echo-cc"};
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  Reporter Report(Words, *VFS);

  if (Error E = checkEnvironment())
    return Report.fail(std::move(E));
  Expected<EchoOptions> Options = takeEchoOptions(Args);
  if (!Options)
    return Report.fail(Options.takeError());
  if (Options->Explain)
    return explainReason(*Options->Explain);

  if (llvm::is_contained(Args, "--help"))
    printOptions();

  Paths Where = findPaths(Argv0);
  Expected<ToolkitInfo> Toolkit = findToolkit(userCudaPath(Args));
  if (!Toolkit)
    return Report.fail(Toolkit.takeError());

  ArchLimits Limits;
  Limits.MinSM = Toolkit->MinArch;
  Limits.MaxSM = Toolkit->MaxArch;
  Limits.Native = [&] { return nativeArchs(Where.LlvmBin + "/nvptx-arch"); };
  Expected<Translated> Nvcc = translateNvccFlags(Args, Limits);
  if (!Nvcc)
    return Report.fail(Nvcc.takeError());
  Args = Nvcc->Args;
  renameCudaLanguage(Args);
  if (llvm::is_contained(Args, "--version")) {
    printVersion(Where, *Toolkit);
    return 0;
  }

  if (Nvcc->Dlink) {
    Expected<int> Status =
        deviceLink(Args, Options->CpuDevice, *Toolkit, Where);
    return Status ? *Status : Report.fail(Status.takeError());
  }

  clang::driver::Driver Clang(Where.clang(), sys::getDefaultTargetTriple(),
                              Report.engine(), "clang LLVM compiler", VFS);
  Clang.setTargetAndMode(
      clang::driver::ToolChain::getTargetAndModeFromProgramName(Cxx ? "clang++"
                                                                    : "clang"));
  CommandShape Shape = describeCommand(Clang, Args);
  if (Shape.HasCuda && !Toolkit->found())
    return Report.fail(missingToolkit());
  if (Shape.CudaFromStdin && !Shape.Preprocesses && !Shape.DeviceOnly)
    return Report.fail(createStringError(
        "cannot compile CUDA from standard input, which the host and the "
        "device job would both read; write it to a file"));
  if (Shape.HasCuda)
    if (Error E = checkFiles(*Options, Where.Models))
      return Report.fail(std::move(E));
  if (Shape.HasCuda && !Shape.Preprocesses &&
      Toolkit->Major * 10 + Toolkit->Minor > 129)
    Nvcc->Notes.push_back(
        "CUDA " + Toolkit->versionText() +
        " is newer than this compiler's own support (12.9); it is "
        "used as 12.9");
  completeCommand(Args, Shape, *Options, *Toolkit, Where,
                  Nvcc->CudaRt.value_or("static"));

  std::string Program = Where.clang();
  Words = {Program.c_str()};
  if (Cxx)
    Words.push_back("--driver-mode=g++");
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  std::unique_ptr<clang::driver::Compilation> C(Clang.BuildCompilation(Words));
  if (!C || C->containsError() || Report.engine().hasErrorOccurred()) {
    Report.engine().getClient()->finish();
    return 1;
  }
  if (!Shape.Silent)
    for (const std::string &Note : Nvcc->Notes)
      Report.note(Note);
  PrivateFiles Files;
  JobSettings Settings{*Options, *Toolkit, Where,
                       Nvcc->PerThreadStream || Shape.PerThreadStream,
                       Shape.Rdc};
  if (Error E = editJobs(*C, Settings, Files))
    return Report.fail(std::move(E));

  SmallVector<std::pair<int, const clang::driver::Command *>, 4> Failing;
  int Status = Clang.ExecuteCompilation(*C, Failing);
  for (const auto &[Code, Job] : Failing) {
    if (!Status)
      Status = Code;
    // As clang: a crash or its 70 is worth a bug report.
    if (Code < 0 || Code == 70) {
      Clang.generateCompilationDiagnostics(*C, *Job);
      break;
    }
  }
  Report.engine().getClient()->finish();
  return Status < 0 ? 1 : Status;
}

} // namespace echo
