//===- Cc1.cpp - One CUDA compile job with Echo's passes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of clang's own -cc1, in its order, with callbacks of lib/Transform
// added to the code generation options. Apart from those passes the output is
// clang's: locations and value names, which the reports need, are kept in the
// IR only and never reach the object.
//
//===----------------------------------------------------------------------===//
#include "cc1/Cc1.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Support/OwnAnalyses.h"
#include "Transform/Device/DevicePasses.h"
#include "cc1/AssumePragma.h"
#include "cc1/DependencyFile.h"
#include "driver/Notes.h"
#include "nvcc/NvccLanguage.h"
#include "nvcc/NvccMacro.h"
#include "suggest/Propose.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ObjectFilePCHContainerWriter.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/FrontendTool/Utils.h"
#include "clang/Options/OptionUtils.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/resource.h>

using namespace clang;

namespace echo {

static void onFatalError(void *UserData, const char *Message, bool Crash) {
  auto &Diags = *static_cast<DiagnosticsEngine *>(UserData);
  Diags.Report(diag::err_fe_error_backend) << Message;
  llvm::sys::RunInterruptHandlers();
  // 70 makes the driver write what a bug report needs, as in clang.
  llvm::sys::Process::Exit(Crash ? 70 : 1);
}

/// clang's wrapper includes "cuda.h" and means the toolkit's. Where a folder of
/// the user's has another one, it finds the toolkit's beside itself; what the
/// user's sources include by that name is as ever.
static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
filesFor(const HeaderSearchOptions &Headers) {
  auto Real = llvm::vfs::getRealFileSystem();
  std::string Toolkits;
  bool HasOwn = false;
  for (const HeaderSearchOptions::Entry &Folder : Headers.UserEntries) {
    const std::string File = Folder.Path + "/cuda.h";
    if (!Real->exists(File))
      continue;
    if (!Real->exists(Folder.Path + "/cuda_runtime.h"))
      HasOwn = true;
    else if (Toolkits.empty())
      Toolkits = File;
  }
  if (!HasOwn || Toolkits.empty())
    return Real;
  return llvm::vfs::RedirectingFileSystem::create(
      {{Headers.ResourceDir + "/include/cuda.h", Toolkits}},
      /*UseExternalNames=*/true, Real);
}

/// Deeply nested sources need clang's usual 8 MiB of stack.
static void ensureStack() {
  rlimit Limit;
  if (getrlimit(RLIMIT_STACK, &Limit) || Limit.rlim_cur == RLIM_INFINITY ||
      Limit.rlim_cur >= rlim_t(DesiredStackSize))
    return;
  Limit.rlim_cur = Limit.rlim_max == RLIM_INFINITY
                       ? rlim_t(DesiredStackSize)
                       : std::min(rlim_t(DesiredStackSize), Limit.rlim_max);
  setrlimit(RLIMIT_STACK, &Limit);
}

/// Joins the device jobs' facts into the one file that the passes read.
static llvm::Error joinFacts(const Cc1Options &O) {
  if (O.Host.KernelFactsFile.empty())
    return llvm::Error::success();
  KernelFactsTable Table;
  for (const std::string &File : O.FactsIn) {
    auto Buffer = llvm::MemoryBuffer::getFile(File);
    if (!Buffer)
      return llvm::createStringError("cannot read kernel facts '%s': %s",
                                     File.c_str(),
                                     Buffer.getError().message().c_str());
    llvm::Expected<KernelFactsTable> One =
        KernelFactsTable::parse((*Buffer)->getBuffer());
    if (!One)
      return llvm::createStringError("kernel facts '%s': %s", File.c_str(),
                                     llvm::toString(One.takeError()).c_str());
    Table.merge(*One);
  }
  std::error_code EC;
  llvm::raw_fd_ostream OS(O.Host.KernelFactsFile, EC);
  if (EC)
    return llvm::createStringError("cannot write kernel facts '%s': %s",
                                   O.Host.KernelFactsFile.c_str(),
                                   EC.message().c_str());
  Table.print(OS);
  return llvm::Error::success();
}

/// True if passes after Echo's count what runs, by function or line: what a
/// body gets by inlining is no function of its own there.
static bool countsWhatRuns(const CodeGenOptions &CodeGen) {
  return CodeGen.hasSanitizeCoverage() || !CodeGen.CoverageNotesFile.empty() ||
         !CodeGen.CoverageDataFile.empty();
}

namespace {
/// Leaves nothing to optimize or emit.
class DropBodies : public llvm::PassInfoMixin<DropBodies> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    // An alias needs what it names.
    if (!M.alias_empty() || !M.ifunc_empty())
      return llvm::PreservedAnalyses::all();
    for (llvm::Function &F : M) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

/// What a device job runs besides clang's passes.
static void addPassesOfDevice(const Cc1Options &O, CodeGenOptions &CodeGen,
                              bool Unoptimized, bool Whole) {
  CodeGen.PassBuilderCallbacks.push_back([=](llvm::PassBuilder &PB) {
    if (O.Sanitize.any())
      addSanitizerMarks(PB, O.Sanitize);
    // Checks blur the facts: they are taken out first.
    addDevicePasses(PB, O.FactsOut, Unoptimized || O.Sanitize.Undefined, Whole);
    if (O.DecideOnly)
      PB.registerOptimizerLastEPCallback(
          [](llvm::ModulePassManager &MPM, llvm::OptimizationLevel,
             llvm::ThinOrFullLTOPhase) { MPM.addPass(DropBodies()); });
  });
}

/// What a host job runs for kernels that become host code.
static void addPassesOfCpuDevice(Cc1Options &O, CodeGenOptions &CodeGen,
                                 const SanitizerSet &Sanitize) {
  // What keeps ThreadSanitizer's view of device code right serves --check.
  O.Cpu.Sanitize.Thread = O.Host.Check || Sanitize.has(SanitizerKind::Thread);
  O.Cpu.Sanitize.Address = Sanitize.has(SanitizerKind::Address);
  CodeGen.PassBuilderCallbacks.push_back(
      [=](llvm::PassBuilder &PB) { addCpuDevicePasses(PB, O.Cpu); });
}

static llvm::Error addPasses(Cc1Options O, CodeGenOptions &CodeGen,
                             const LangOptions &Lang) {
  if (!O.isDevice() && O.Host.Unify && countsWhatRuns(CodeGen)) {
    O.Host.Unify = false;
    if (!O.Host.ReportText.empty() || !O.Host.ReportJson.empty())
      printNote("'" + O.Host.Source +
                "' is compiled to count what runs: no pair of it merges");
  }
  bool Whole = !O.Relocatable && !Lang.GPURelocatableDeviceCode;
  // For reports, and for errors about kernels that the CPU device cannot take.
  bool Tells = O.isDevice() ? O.ForCpu
                            : O.Host.Unify || O.Host.Check ||
                                  !O.Host.ReportText.empty() ||
                                  !O.Host.ReportJson.empty() || O.ForLink ||
                                  !O.Cpu.DeviceBitcode.empty();
  bool NoNames = CodeGen.DiscardValueNames;
  bool NoLocations =
      Tells && CodeGen.getDebugInfo() == llvm::codegenoptions::NoDebugInfo;
  if (NoLocations)
    CodeGen.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  if (!O.isDevice() && Tells)
    CodeGen.DiscardValueNames = false;
  bool Unoptimized = CodeGen.OptimizationLevel == 0;
  CodeGen.PassBuilderCallbacks.push_back(addManagedVariables);
  if (O.isDevice()) {
    addPassesOfDevice(O, CodeGen, Unoptimized, Whole);
    return llvm::Error::success();
  }
  if (llvm::Error E = joinFacts(O))
    return E;
  // The unit leaves clang as it is; finishForLink() does the rest.
  CodeGen.DisableLLVMPasses |= O.ForLink;
  CodeGen.PassBuilderCallbacks.push_back([=](llvm::PassBuilder &PB) {
    O.ForLink ? addPrepareForLink(PB, O.Host) : addHostPasses(PB, O.Host);
    if (O.DecideOnly)
      PB.registerPipelineStartEPCallback(
          [](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
            MPM.addPass(DropBodies());
          });
  });
  if (!O.Cpu.DeviceBitcode.empty() && !O.DecideOnly) {
    O.Cpu.Optimize = !Unoptimized;
    addPassesOfCpuDevice(O, CodeGen, Lang.Sanitize);
  }
  if (!O.ForLink)
    CodeGen.PassBuilderCallbacks.push_back([=](llvm::PassBuilder &PB) {
      addStripSourceNames(PB, NoNames, NoLocations && !O.Host.Check);
    });
  return llvm::Error::success();
}

/// True if CMake asks by its own source which compiler this is. With flags of
/// nvcc's, too, it must go on in clang's language.
static bool identifiesCompiler(const clang::CompilerInstance &Clang) {
  return llvm::any_of(Clang.getFrontendOpts().Inputs, [](const auto &Input) {
    return Input.isFile() && llvm::sys::path::filename(Input.getFile()) ==
                                 "CMakeCUDACompilerId.cu";
  });
}

/// Runs Echo's passes, and only those, on the bitcode that clang wrote to
/// \p File. An error was told already where the diagnostics hold one.
static llvm::Error finishForLink(const std::string &File,
                                 const CodeGenOptions &CodeGen) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Wrong;
  std::unique_ptr<llvm::Module> M = llvm::parseIRFile(File, Wrong, Context);
  if (!M)
    return llvm::createStringError("cannot read '%s': %s", File.c_str(),
                                   Wrong.getMessage().str().c_str());
  OwnAnalyses Own;
  for (const auto &Callback : CodeGen.PassBuilderCallbacks)
    Callback(Own.PB);
  llvm::ModulePassManager MPM;
  Own.PB.invokePipelineStartEPCallbacks(MPM, CodeGen.OptimizationLevel
                                                 ? llvm::OptimizationLevel::O2
                                                 : llvm::OptimizationLevel::O0);
  MPM.run(*M, Own.MAM);
  if (Context.getDiagHandlerPtr()->HasErrors)
    return llvm::createStringError("cannot prepare '%s' for the link",
                                   M->getSourceFileName().c_str());
  std::error_code EC;
  llvm::ToolOutputFile Out(File, EC, llvm::sys::fs::OF_None);
  if (EC)
    return llvm::createStringError("cannot write '%s': %s", File.c_str(),
                                   EC.message().c_str());
  llvm::WriteBitcodeToFile(*M, Out.os());
  Out.keep();
  return llvm::Error::success();
}

static void complain(DiagnosticsEngine &Engine, llvm::Error E) {
  Engine.Report(Engine.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
      << llvm::toString(std::move(E));
}

static bool runInstance(CompilerInstance &Clang) {
  llvm::TimeTraceScope Scope("ExecuteCompiler");
  bool TimePasses = Clang.getCodeGenOpts().TimePasses;
  if (TimePasses)
    Clang.createFrontendTimer();
  llvm::TimeRegion Timer(TimePasses ? &Clang.getFrontendTimer() : nullptr);
  return ExecuteCompilerInvocation(&Clang);
}

static void writeTimes(CompilerInstance &Clang) {
  llvm::TimerGroup::printAll(*llvm::CreateInfoOutputFile());
  llvm::TimerGroup::clearAll();
  if (!llvm::timeTraceProfilerEnabled())
    return;
  std::error_code EC;
  llvm::raw_fd_ostream OS(Clang.getFrontendOpts().TimeTracePath, EC,
                          llvm::sys::fs::OF_TextWithCRLF);
  if (!EC)
    llvm::timeTraceProfilerWrite(OS);
  llvm::timeTraceProfilerCleanup();
}

/// The same job in a new process, as \p Options say now.
static int runAgain(const Cc1Options &Options,
                    llvm::ArrayRef<const char *> Args, const char *Argv0) {
  std::vector<std::string> Own = Options.toArgs();
  llvm::SmallVector<llvm::StringRef, 64> Words = {Argv0, "-cc1"};
  Words.append(Own.begin(), Own.end());
  Words.append(Args.begin(), Args.end());
  std::string Self =
      llvm::sys::fs::getMainExecutable(Argv0, (void *)(intptr_t)cc1Main);
  return llvm::sys::ExecuteAndWait(Self, Words);
}

/// How precompiled headers are stored, as in clang.
static std::shared_ptr<PCHContainerOperations> headerContainers() {
  auto Containers = std::make_shared<PCHContainerOperations>();
  Containers->registerWriter(std::make_unique<ObjectFilePCHContainerWriter>());
  Containers->registerReader(std::make_unique<ObjectFilePCHContainerReader>());
  return Containers;
}

/// Starts the time trace that \p Clang is asked for, and finds its headers.
static void setUp(CompilerInstance &Clang, const char *Argv0) {
  const FrontendOptions &Frontend = Clang.getFrontendOpts();
  if (!Frontend.TimeTracePath.empty())
    llvm::timeTraceProfilerInitialize(Frontend.TimeTraceGranularity, Argv0,
                                      Frontend.TimeTraceVerbose);
  HeaderSearchOptions &Headers = Clang.getHeaderSearchOpts();
  if (Headers.UseBuiltinIncludes && Headers.ResourceDir.empty())
    Headers.ResourceDir = GetResourcesPath(ECHO_LLVM_TOOLS_DIR "/clang");
}

/// What remains to be done to the files of a compilation; false after an error,
/// which is reported.
static bool finishOutputs(CompilerInstance &Clang, const Cc1Options &Options) {
  llvm::Error E = Options.ForLink
                      ? finishForLink(Clang.getFrontendOpts().OutputFile,
                                      Clang.getCodeGenOpts())
                      : llvm::Error::success();
  // Of -M and -MM; -MD's are read by make alone.
  const std::string &Rules = Clang.getDependencyOutputOpts().OutputFile;
  if (Clang.getLangOpts().CUDA &&
      Clang.getFrontendOpts().ProgramAction == frontend::RunPreprocessorOnly &&
      llvm::sys::fs::is_regular_file(Rules))
    E = llvm::joinErrors(std::move(E), writeAsNvcc(Rules));
  if (!E)
    return true;
  complain(Clang.getDiagnostics(), std::move(E));
  return false;
}

static void initializeTargets() {
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
}

int cc1Main(llvm::ArrayRef<const char *> Args, const char *Argv0) {
  llvm::Expected<Cc1Options> Options = Cc1Options::parse(Args);
  if (!Options) {
    llvm::errs() << "echo-cc: error: " << llvm::toString(Options.takeError())
                 << '\n';
    return 1;
  }
  ensureStack();
  initializeTargets();

  DiagnosticOptions DiagOpts;
  auto *Buffered = new TextDiagnosticBuffer;
  DiagnosticsEngine Diags(DiagnosticIDs::create(), DiagOpts, Buffered);
  auto Invocation = std::make_shared<CompilerInvocation>();
  bool Success =
      CompilerInvocation::CreateFromArgs(*Invocation, Args, Diags, Argv0);
  auto Clang = std::make_unique<CompilerInstance>(std::move(Invocation),
                                                  headerContainers());
  setUp(*Clang, Argv0);
  Clang->createVirtualFileSystem(filesFor(Clang->getHeaderSearchOpts()),
                                 Buffered);
  Clang->createDiagnostics();
  llvm::install_fatal_error_handler(onFatalError, &Clang->getDiagnostics());
  Buffered->FlushDiagnostics(Clang->getDiagnostics());
  if (!Success)
    return 1;
  // Device jobs read the pragmas, too, and leave them.
  if (Clang->getLangOpts().CUDA || !Options->Host.Source.empty())
    readAssumePragmas(Options->isDevice() ? nullptr : &Options->Host);
  if (!Options->Proposals.empty()) {
    suggest::writeProposals(Options->Host, Options->Proposals);
    Clang->getCodeGenOpts().ClearASTBeforeBackend = false;
  }
  if (llvm::Error E =
          addPasses(*Options, Clang->getCodeGenOpts(), Clang->getLangOpts())) {
    complain(Clang->getDiagnostics(), std::move(E));
    return 1;
  }

  bool Cuda = Clang->getLangOpts().CUDA;
  if (Cuda) {
    addNvccLanguage();
    hideUserMacros(*Clang);
  }
  const bool Watched = Clang->getLangOpts().CPlusPlus;
  if (Watched)
    watchSource(*Clang, Options->Edits);
  if (Options->AsNvcc && !identifiesCompiler(*Clang))
    defineNvccMacro(*Clang);
  Success = runInstance(*Clang);
  if (Watched && needsEdits(*Clang, Options->Edits))
    return runAgain(*Options, Args, Argv0);
  Success = Success && finishOutputs(*Clang, *Options);
  writeTimes(*Clang);
  llvm::remove_fatal_error_handler();
  if (Clang->getFrontendOpts().DisableFree)
    llvm::BuryPointer(std::move(Clang));
  return Success ? 0 : 1;
}

} // namespace echo
