//===- Jobs.cpp - Turns clang's CUDA jobs into Echo's ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job belongs to the CUDA source that its chain of actions starts from. The
// driver lists the device jobs of a source before its host job, so that facts
// and bitcode are there when the host job runs.
//
//===----------------------------------------------------------------------===//
#include "driver/Jobs.h"
#include "cc1/Cc1.h"
#include "driver/CommandLine.h"
#include "link/LinkTime.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Tool.h"
#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <map>

using namespace llvm;
using namespace clang::driver;

namespace echo {

PrivateFiles::~PrivateFiles() {
  for (const PrivateFile &File : Files) {
    (void)sys::fs::remove(File.Path);
    sys::DontRemoveFileOnSignal(File.Path);
  }
}

void PrivateFiles::removeOnSignal(StringRef Path) {
  sys::RemoveFileOnSignal(Path);
}

Expected<std::string> PrivateFiles::create(StringRef Suffix, StringRef Text) {
  SmallString<128> Path;
  int Descriptor = -1;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("echo", Suffix, Descriptor, Path))
    return createStringError("cannot create a temporary file: %s",
                             EC.message().c_str());
  Files.push_back({Path.str().str(), Text.str()});
  removeOnSignal(Path);
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
  OS << Text;
  OS.close();
  if (OS.has_error()) {
    const std::string Why = OS.error().message();
    OS.clear_error();
    return createStringError("cannot write '%s': %s", Path.c_str(),
                             Why.c_str());
  }
  return Files.back().Path;
}

namespace {
/// What the jobs of one CUDA source share.
struct SourceFiles {
  std::vector<std::string> Facts;
  std::string Bitcode; ///< --device=cpu
  bool HasHostJob = false;
};

class JobEditor {
public:
  JobEditor(Compilation &C, const JobSettings &Settings, PrivateFiles &Files)
      : C(C), Settings(Settings), Files(Files) {}
  Error run();

private:
  Error editDevice(Command &Job, SourceFiles &Source);
  Error editHost(Command &Job, SourceFiles &Source, StringRef Name);
  void editPlain(Command &Job, StringRef Name);
  void replace(Command &Job, const Cc1Options &Options,
               opt::ArgStringList Args);
  void onlyRead(Command &Job, opt::ArgStringList Args);
  void addHeaders(opt::ArgStringList &Args);
  opt::ArgStringList toBitcode(const opt::ArgStringList &Args,
                               StringRef Output);
  const char *save(const Twine &Text) {
    return C.getArgs().MakeArgString(Text);
  }

  void findPtxImages();
  void findSanitizers();
  void editFatbinary(Command &Job);

  Compilation &C;
  const JobSettings &Settings;
  PrivateFiles &Files;
  /// Files that -emit-llvm would give to fatbinary, which takes no bitcode.
  StringSet<> PtxImages;
  Sanitizers Sanitize; ///< of host jobs
  opt::ArgStringList DeviceChecks;
  std::map<unsigned, SourceFiles> Sources; ///< by the input's argument index
};
} // namespace

/// The input that \p A starts from, if it is CUDA source.
static const InputAction *cudaInput(const Action *A) {
  if (const auto *Input = dyn_cast<InputAction>(A))
    return types::isCuda(Input->getType()) ? Input : nullptr;
  // A host job's first input is the host's own chain.
  for (const Action *In : A->getInputs())
    if (const InputAction *Input = cudaInput(In))
      return Input;
  return nullptr;
}

/// The C or C++ source that \p A compiles for the host, if it names CUDA; with
/// \p Any even if it does not.
static StringRef plainSource(const Action *A, bool Any) {
  while (A && !isa<InputAction>(A))
    A = A->getInputs().size() == 1 ? A->getInputs().front() : nullptr;
  const auto *Input = cast_or_null<InputAction>(A);
  if (!Input ||
      (Input->getType() != types::TY_C && Input->getType() != types::TY_CXX))
    return {};
  StringRef File = Input->getInputArg().getValue();
  return Any || namesCuda(File) ? File : StringRef();
}

static bool isCc1(const Command &Job) {
  return !Job.getArguments().empty() &&
         StringRef(Job.getArguments().front()) == "-cc1";
}

static bool hasArg(const opt::ArgStringList &Args, StringRef Wanted) {
  return llvm::any_of(Args, [&](StringRef Arg) { return Arg == Wanted; });
}

/// Jobs that make IR or code; others only read the source.
static bool generatesCode(const Command &Job) {
  return llvm::any_of(
      ArrayRef<StringRef>{"-emit-obj", "-S", "-emit-llvm", "-emit-llvm-bc"},
      [&](StringRef Kind) { return hasArg(Job.getArguments(), Kind); });
}

/// -save-temps makes IR in one job and optimizes it in the next, where the
/// passes run.
static bool onlyMakesIR(const Command &Job) {
  return hasArg(Job.getArguments(), "-disable-llvm-passes");
}

void JobEditor::replace(Command &Job, const Cc1Options &Options,
                        opt::ArgStringList Args) {
  std::vector<std::string> Own = Options.toArgs();
  opt::ArgStringList All = {"-cc1"};
  for (const std::string &Arg : Own)
    All.push_back(save(Arg));
  All.append(Args.begin() + 1, Args.end());
  Job.replaceArguments(std::move(All));
  Job.replaceExecutable(save(Settings.Where.Self));
}

/// A job that makes no code needs nvcc's language alone.
void JobEditor::onlyRead(Command &Job, opt::ArgStringList Args) {
  Cc1Options O;
  O.AsNvcc = Settings.AsNvcc;
  replace(Job, O, std::move(Args));
}

/// The header of nvcc's own definitions follows clang's wrapper; the toolkit's
/// C++ libraries come last, after all that the user named.
void JobEditor::addHeaders(opt::ArgStringList &Args) {
  auto *Wrapper = llvm::find_if(Args, [](StringRef Arg) {
    return Arg == "__clang_cuda_runtime_wrapper.h";
  });
  if (Wrapper == Args.end())
    return;
  opt::ArgStringList Shim = {"-include", "echo_nvcc_compat.h"};
  Args.insert(Wrapper + 1, Shim.begin(), Shim.end());
  opt::ArgStringList Dirs;
  if (!Settings.Toolkit.CcclDir.empty())
    Dirs = {"-internal-isystem", save(Settings.Toolkit.CcclDir)};
  Dirs.append({"-internal-isystem", save(Settings.Where.LibDir + "/include")});
  if (Settings.Toolkit.Build) {
    Dirs.push_back(
        save("-D__CUDACC_VER_MAJOR__=" + Twine(Settings.Toolkit.Major)));
    Dirs.push_back(
        save("-D__CUDACC_VER_MINOR__=" + Twine(Settings.Toolkit.Minor)));
    Dirs.push_back(
        save("-D__CUDACC_VER_BUILD__=" + Twine(Settings.Toolkit.Build)));
  }
  // Before "-o", which every driver puts after the search paths.
  auto *At = llvm::find_if(Args, [](StringRef Arg) { return Arg == "-o"; });
  if (At == Args.end())
    At = llvm::find_if(Args, [](StringRef Arg) { return Arg == "-x"; });
  Args.insert(At, Dirs.begin(), Dirs.end());
}

/// Makes \p Args give bitcode without CUDA's device library, which the CPU
/// device replaces by its own; in \p Output, if there is one.
opt::ArgStringList JobEditor::toBitcode(const opt::ArgStringList &Args,
                                        StringRef Output) {
  opt::ArgStringList Kept;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "-mlink-builtin-bitcode") {
      ++I;
    } else if (!Output.empty() &&
               (Arg == "-S" || Arg == "-emit-llvm" || Arg == "-emit-obj")) {
      Kept.push_back("-emit-llvm-bc");
    } else if (Arg == "-debug-info-kind=line-directives-only") {
      // Enough for ptxas, nothing to the host.
      Kept.push_back("-debug-info-kind=line-tables-only");
    } else if (!Output.empty() && Arg == "-o") {
      Kept.append({"-o", save(Output)});
      ++I;
    } else {
      Kept.push_back(Args[I]);
    }
  }
  return Kept;
}

Error JobEditor::editDevice(Command &Job, SourceFiles &Source) {
  opt::ArgStringList Args = Job.getArguments();
  addHeaders(Args);
  bool Cpu = Settings.Options.Device.Cpu;
  if (!generatesCode(Job)) {
    onlyRead(Job, Cpu ? toBitcode(Args, "") : std::move(Args));
    return Error::success();
  }
  if (onlyMakesIR(Job) && !Cpu) {
    onlyRead(Job, std::move(Args));
    return Error::success();
  }
  Expected<std::string> Facts = Files.create("facts");
  if (!Facts)
    return Facts.takeError();
  Cc1Options O;
  O.AsNvcc = Settings.AsNvcc;
  O.FactsOut = *Facts;
  O.ForCpu = Cpu;
  O.Relocatable = Settings.Rdc;
  if (Cpu)
    O.Sanitize = Sanitize;
  O.Sanitize.Thread |= Settings.Options.Host.Check;
  if (onlyMakesIR(Job)) {
    replace(Job, O, toBitcode(Args, ""));
    return Error::success();
  }
  Source.Facts.push_back(*Facts);
  if (Cpu) {
    Expected<std::string> Bitcode = Files.create("bc");
    if (!Bitcode)
      return Bitcode.takeError();
    Source.Bitcode = *Bitcode;
    Args = toBitcode(Args, *Bitcode);
    Args.insert(Args.begin() + 1, DeviceChecks.begin(), DeviceChecks.end());
  }
  if (any_of(Args, [&](StringRef A) { return PtxImages.contains(A); }))
    for (const char *&Arg : Args)
      if (StringRef(Arg) == "-emit-llvm" || StringRef(Arg) == "-emit-llvm-bc")
        Arg = "-S";
  replace(Job, O, std::move(Args));
  return Error::success();
}

HostOptions hostOptions(const EchoOptions &Options, const Paths &Where,
                        StringRef Name, bool PerThreadStream) {
  HostOptions O = Options.Host;
  O.Source = Name.str();
  O.ModelFiles = Where.Models;
  llvm::append_range(O.ModelFiles, Options.Host.ModelFiles);
  O.PerThreadDefaultStream = PerThreadStream;
  return O;
}

/// A C or C++ source that names CUDA: it may allocate and copy, but has no
/// kernel of its own.
void JobEditor::editPlain(Command &Job, StringRef Name) {
  if (!generatesCode(Job) || onlyMakesIR(Job))
    return;
  opt::ArgStringList Args = Job.getArguments();
  Cc1Options O;
  O.Host = hostOptions(Settings.Options, Settings.Where, Name,
                       Settings.PerThreadStream);
  O.Host.CompiledOnly = !Settings.Links;
  O.ForLink = Settings.ForLink && isForLink(Args);
  replace(Job, O, std::move(Args));
}

Error JobEditor::editHost(Command &Job, SourceFiles &Source, StringRef Name) {
  Source.HasHostJob = true;
  opt::ArgStringList Args = Job.getArguments();
  addHeaders(Args);
  bool Cpu = Settings.Options.Device.Cpu && !Source.Bitcode.empty();
  if (Cpu)
    // The driver's fat binary is never made; the pass puts its module in place
    // of what is embedded here.
    for (size_t I = 0; I + 1 < Args.size(); ++I)
      if (StringRef(Args[I]) == "-fcuda-include-gpubinary") {
        Expected<std::string> Dummy = Files.create("fatbin", "echo");
        if (!Dummy)
          return Dummy.takeError();
        Args[I + 1] = save(*Dummy);
      }
  if (!generatesCode(Job)) {
    onlyRead(Job, std::move(Args));
    return Error::success();
  }
  Cc1Options O;
  O.AsNvcc = Settings.AsNvcc;
  O.Host = hostOptions(Settings.Options, Settings.Where, Name,
                       Settings.PerThreadStream);
  O.Host.CompiledOnly = !Settings.Links;
  if (onlyMakesIR(Job)) {
    replace(Job, O, std::move(Args));
    return Error::success();
  }
  O.FactsIn = Source.Facts;
  if (!Source.Facts.empty()) {
    Expected<std::string> Joined = Files.create("facts");
    if (!Joined)
      return Joined.takeError();
    O.Host.KernelFactsFile = *Joined;
  }
  O.ForLink = Settings.ForLink && isForLink(Args);
  if (Cpu) {
    O.Cpu.DeviceBitcode = Source.Bitcode;
    O.Cpu.DeviceLibrary = Settings.Where.runFile("cpu_devlib.bc");
    O.Cpu.RelocatableDeviceCode = Settings.Rdc;
  }
  replace(Job, O, std::move(Args));
  return Error::success();
}

static bool isFatbinary(const Command &Job) {
  return sys::path::filename(Job.getExecutable()) == "fatbinary";
}

void JobEditor::findPtxImages() {
  for (const Command &Job : C.getJobs())
    if (isFatbinary(Job))
      for (StringRef Arg : Job.getArguments()) {
        StringRef File = Arg.split("file=").second;
        if (Arg.starts_with("--image3=kind=elf,") &&
            (File.ends_with(".bc") || File.ends_with(".ll")))
          PtxImages.insert(File);
      }
}

/// The GPU's driver compiles such an image, so that the host file is complete.
void JobEditor::editFatbinary(Command &Job) {
  opt::ArgStringList Args = Job.getArguments();
  for (const char *&Arg : Args) {
    StringRef Rest = Arg;
    if (Rest.consume_front("--image3=kind=elf,") &&
        PtxImages.contains(Rest.split("file=").second))
      Arg = save("--image3=kind=ptx," + Rest);
  }
  Job.replaceArguments(std::move(Args));
}

/// Checks of UndefinedBehaviorSanitizer that mean something in device code.
static bool isDeviceCheck(StringRef Name) {
  return is_contained({"alignment",
                       "array-bounds",
                       "bool",
                       "builtin",
                       "enum",
                       "float-cast-overflow",
                       "float-divide-by-zero",
                       "implicit-bitfield-conversion",
                       "implicit-integer-sign-change",
                       "implicit-signed-integer-truncation",
                       "implicit-unsigned-integer-truncation",
                       "integer-divide-by-zero",
                       "nonnull-attribute",
                       "null",
                       "object-size",
                       "pointer-overflow",
                       "return",
                       "returns-nonnull-attribute",
                       "shift-base",
                       "shift-exponent",
                       "signed-integer-overflow",
                       "unreachable",
                       "unsigned-integer-overflow",
                       "unsigned-shift-base",
                       "vla-bound"},
                      Name);
}

/// Clang gives sanitizers to host jobs only.
void JobEditor::findSanitizers() {
  for (const Command &Job : C.getJobs())
    for (StringRef Arg : Job.getArguments()) {
      auto [Option, List] = Arg.split('=');
      if (!is_contained({"-fsanitize", "-fsanitize-recover", "-fsanitize-trap",
                         "-fsanitize-merge"},
                        Option))
        continue;
      SmallVector<StringRef> Names, Checks;
      List.split(Names, ',');
      if (Option == "-fsanitize") {
        Sanitize.Thread |= is_contained(Names, "thread");
        Sanitize.Address |= is_contained(Names, "address");
      }
      // The front end of the device job makes these; what they call comes from
      // the host's library.
      copy_if(Names, std::back_inserter(Checks), isDeviceCheck);
      std::string Kept = (Option + "=" + join(Checks, ",")).str();
      if (!Checks.empty() && !hasArg(DeviceChecks, Kept))
        DeviceChecks.push_back(save(Kept));
    }
  Sanitize.Undefined = !DeviceChecks.empty();
}

/// nvcc's C compiler ignores a C++ standard, which Makefiles give to all files.
static void dropCxxStandard(Command &Job) {
  opt::ArgStringList Args = Job.getArguments();
  auto *Language = llvm::find_if(Args, [](StringRef A) { return A == "-x"; });
  if (Language == Args.end() || StringRef(Language[1]) != "c")
    return;
  llvm::erase_if(Args, [](StringRef Arg) {
    return Arg.starts_with("-std=c++") || Arg.starts_with("-std=gnu++");
  });
  Job.replaceArguments(std::move(Args));
}

/// nvcc defines the macros of its language in CUDA sources alone.
static void dropCudaMacros(Command &Job) {
  opt::ArgStringList Kept;
  for (const char *Arg : Job.getArguments()) {
    const bool IsMacro = StringRef(Arg) == "__CUDACC_EXTENDED_LAMBDA__=1" ||
                         StringRef(Arg) == "__CUDACC_RELAXED_CONSTEXPR__=1";
    if (IsMacro && !Kept.empty() && StringRef(Kept.back()) == "-D")
      Kept.pop_back();
    else
      Kept.push_back(Arg);
  }
  Job.replaceArguments(std::move(Kept));
}

/// Where a command has CUDA sources, clang's driver gives the headers that CUDA
/// sources begin with to its C and C++ sources, too, which they break.
static void dropCudaHeaders(Command &Job) {
  opt::ArgStringList Args = Job.getArguments();
  auto *Wrapper = llvm::find_if(Args, [](StringRef Arg) {
    return Arg == "__clang_cuda_runtime_wrapper.h";
  });
  if (Wrapper == Args.end())
    return;
  Args.erase(Wrapper - 1, Wrapper + 1);
  auto *Folder = llvm::find_if(Args, [](StringRef Arg) {
    return sys::path::filename(Arg) == "cuda_wrappers";
  });
  if (Folder != Args.end())
    Args.erase(Folder - 1, Folder + 1);
  Job.replaceArguments(std::move(Args));
}

/// A unit of a thin link-time optimization is a module of its own, which the
/// passes over all units would not see. Host code of CUDA sources is none.
static void leaveThinLto(Command &Job) {
  opt::ArgStringList Args = Job.getArguments();
  if (!isForLink(Args))
    return;
  for (const char *&Arg : Args)
    if (StringRef(Arg) == "-flto=thin")
      Arg = "-flto=full";
  Job.replaceArguments(std::move(Args));
}

Error JobEditor::run() {
  if (Settings.Options.Device.Cpu)
    findSanitizers();
  else
    findPtxImages();
  std::vector<std::unique_ptr<Command>> Kept;
  for (Command &Job : C.getJobs()) {
    auto Copy = std::make_unique<Command>(Job);
    const Action &A = Job.getSource();
    bool OnDevice = A.isDeviceOffloading(Action::OFK_Cuda);
    const InputAction *Input = cudaInput(&A);
    if (Input && isCc1(Job)) {
      SourceFiles &Source = Sources[Input->getInputArg().getIndex()];
      if (Error E = OnDevice ? editDevice(*Copy, Source)
                             : editHost(*Copy, Source,
                                        Input->getInputArg().getValue()))
        return E;
    } else if (Settings.Options.Device.Cpu &&
               (OnDevice ||
                StringRef(Job.getCreator().getName()).starts_with("NVPTX::"))) {
      continue; // ptxas and fatbinary
    } else if (isFatbinary(Job)) {
      editFatbinary(*Copy);
    } else if (isCc1(Job)) {
      dropCudaHeaders(*Copy);
      if (Settings.AsNvcc) {
        dropCxxStandard(*Copy);
        dropCudaMacros(*Copy);
      }
      if (Settings.ForLink)
        leaveThinLto(*Copy);
      if (StringRef File = plainSource(&A, Settings.Options.Host.Check);
          !File.empty())
        editPlain(*Copy, File);
    }
    Kept.push_back(std::move(Copy));
  }
  if (Settings.Options.Device.Cpu)
    for (const auto &[Index, Source] : Sources)
      if (!Source.HasHostJob)
        return createStringError(
            "--device=cpu makes no device file of its own: device code goes "
            "into the host object (use -c), or use --device=cuda");
  C.getJobs().clear();
  for (std::unique_ptr<Command> &Job : Kept)
    C.getJobs().addJob(std::move(Job));
  return Error::success();
}

Error editJobs(Compilation &C, const JobSettings &Settings,
               PrivateFiles &Files) {
  for (const char *File : C.getTempFiles())
    PrivateFiles::removeOnSignal(File);
  return JobEditor(C, Settings, Files).run();
}

} // namespace echo
