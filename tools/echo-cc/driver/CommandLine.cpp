//===- CommandLine.cpp - What a command does, and what Echo adds ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries are added as linker words (-Xlinker, -l), which a `-x cuda` before
// them cannot turn into sources, and with --as-needed, so that a link that uses
// no CUDA gives what clang would give.
//
//===----------------------------------------------------------------------===//
#include "driver/CommandLine.h"
#include "link/CpuLibraries.h"
#include "clang/Driver/Types.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/SymbolicFile.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace options = clang::options;
namespace types = clang::driver::types;

namespace echo {

bool isOfMergedPairs(StringRef Symbol) {
  // What the link found out about other units has names of the same kind.
  return Symbol.starts_with("echo_call_") ||
         (Symbol.starts_with("echort_") &&
          !Symbol.starts_with("echort_others_") &&
          Symbol != "echort_linked_by");
}

static bool isWeak(const object::BasicSymbolRef &Symbol) {
  Expected<uint32_t> Flags = Symbol.getFlags();
  if (Flags)
    return *Flags & object::BasicSymbolRef::SF_Weak;
  consumeError(Flags.takeError());
  return false;
}

/// What the symbols of an object, or of bitcode for link-time optimization,
/// say. True if some are CUDA's or Echo's.
static bool describeSymbols(CommandShape &Shape,
                            const object::SymbolicFile &File) {
  bool UsesCuda = false;
  for (const object::BasicSymbolRef &Symbol : File.symbols()) {
    std::string Name;
    raw_string_ostream OS(Name);
    if (Error E = Symbol.printName(OS)) {
      consumeError(std::move(E));
      continue;
    }
    StringRef N = Name;
    if (N.starts_with("cuda") || N.starts_with("__cuda") ||
        isOfMergedPairs(N) || N.starts_with("echo_cpu_") ||
        N.starts_with("echo_cpu."))
      UsesCuda = true;
    if (isOfMergedPairs(N))
      Shape.HasMergedPairs = true;
    if (N.starts_with("echo_cpu."))
      Shape.HasCpuObjects = true;
    if (N.starts_with("echo_check_") && !isWeak(Symbol))
      Shape.HasChecks = true; // a weak one is the CPU device's
    if (N == "__start_llvm_offload_entries")
      Shape.HasDeviceLink = true;
  }
  Shape.MayNeedCudart |= UsesCuda;
  return UsesCuda;
}

bool namesCuda(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  static constexpr StringRef Names[] = {
      "cuda", "cublas", "cufft", "curand", "cusolver", "cusparse", "cudnn"};
  return Buffer && any_of(Names, [&](StringRef Name) {
           return (*Buffer)->getBuffer().contains(Name);
         });
}

static void describeBitcode(CommandShape &Shape,
                            const object::SymbolicFile &File) {
  // The link may merge pairs of it.
  Shape.HasCudaBitcode |= describeSymbols(Shape, File);
}

static void describeObject(CommandShape &Shape, const object::ObjectFile &O) {
  for (const object::SectionRef &Section : O.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (Name->starts_with(".llvm.offloading"))
      Shape.HasDeviceObjects = Shape.MayNeedCudart = true;
  }
  if (!O.isRelocatableObject())
    Shape.MayNeedCudart = true;
  describeSymbols(Shape, O);
}

/// Looks into linker input \p File, an object or an archive of objects. What
/// is neither may use CUDA.
static void describeInput(CommandShape &Shape, StringRef File) {
  LLVMContext Context;
  auto Binary = object::createBinary(File, &Context);
  if (!Binary) {
    consumeError(Binary.takeError());
    Shape.MayNeedCudart = true;
    Shape.NamesNoFile |= !sys::fs::exists(File);
    return;
  }
  object::Binary *B = Binary->getBinary();
  if (auto *O = dyn_cast<object::ObjectFile>(B))
    return describeObject(Shape, *O);
  Shape.MayNeedCudart = true;
  if (auto *Bitcode = dyn_cast<object::SymbolicFile>(B))
    return describeBitcode(Shape, *Bitcode);
  auto *Archive = dyn_cast<object::Archive>(B);
  if (!Archive)
    return;
  Error E = Error::success();
  for (const object::Archive::Child &Child : Archive->children(E)) {
    Expected<std::unique_ptr<object::Binary>> Member =
        Child.getAsBinary(&Context);
    if (!Member)
      consumeError(Member.takeError());
    else if (auto *O = dyn_cast<object::ObjectFile>(Member->get()))
      describeObject(Shape, *O);
    else if (auto *Bitcode = dyn_cast<object::SymbolicFile>(Member->get()))
      describeBitcode(Shape, *Bitcode);
  }
  consumeError(std::move(E));
}

/// What \p Parsed says about the linker and about how to link.
static void describeLink(CommandShape &Shape, const opt::InputArgList &Parsed) {
  Shape.Lto = Parsed.hasFlag(options::OPT_flto, options::OPT_flto_EQ,
                             options::OPT_fno_lto, false);
  if (const opt::Arg *A = Parsed.getLastArg(options::OPT_fuse_ld_EQ))
    Shape.OtherLinker = StringRef(A->getValue()) != "lld";
  Shape.OtherLinker |= Parsed.hasArg(options::OPT_ld_path_EQ);
}

/// Adds to \p Shape what library \p Name (-l) means for it.
static void describeLibrary(CommandShape &Shape, const opt::ArgList &Parsed,
                            StringRef Name) {
  if (!is_contained({"m", "c", "dl", "rt", "pthread", "stdc++"}, Name))
    Shape.MayNeedCudart = true;
  for (const std::string &Folder : Parsed.getAllArgValues(options::OPT_L)) {
    SmallString<128> File(Folder);
    sys::path::append(File, "lib" + Name + ".a");
    if (sys::fs::exists(File))
      describeInput(Shape, File);
  }
}

/// The same of input \p File. \p Language: what -x says. \p Native: for this
/// machine; other targets have no CUDA libraries.
static void describeSource(CommandShape &Shape, StringRef File,
                           types::ID Language, bool Native) {
  types::ID Type = Language;
  if (Type == types::TY_Nothing)
    Type = types::lookupTypeForExtension(sys::path::extension(File).ltrim('.'));
  if (Type == types::TY_INVALID || Type == types::TY_Object) {
    describeInput(Shape, File);
  } else if (types::isCuda(Type)) {
    ++Shape.Sources;
    Shape.HasCuda = true;
    Shape.CudaFromStdin |= File == "-";
  } else if (types::isSrcFile(Type) && types::isDerivedFromC(Type)) {
    ++Shape.Sources;
    Shape.HasPlainSource = true;
    Shape.HasPlainCuda |= namesCuda(File);
  } else if (types::isLLVMIR(Type) || Type == types::TY_PP_Asm ||
             Type == types::TY_Asm) {
    Shape.MayNeedCudart |= Native;
  }
}

CommandShape describeCommand(const clang::driver::Driver &D,
                             ArrayRef<std::string> Args) {
  SmallVector<const char *, 64> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount, opt::Visibility(options::ClangOption));
  opt::DerivedArgList Derived(Parsed);
  for (opt::Arg *A : Parsed)
    Derived.append(A);

  CommandShape Shape;
  clang::driver::phases::ID Last = D.getFinalPhase(Derived);
  Shape.Links = Last == clang::driver::phases::Link;
  Shape.Preprocesses = Last == clang::driver::phases::Preprocess;
  Shape.HasArch = Parsed.hasArg(options::OPT_offload_arch_EQ);
  Shape.Silent = Parsed.hasArg(options::OPT_w);
  Shape.Verbose = Parsed.hasArg(options::OPT_v);
  Shape.NoStdLib = Parsed.hasArg(options::OPT_nostdlib,
                                 options::OPT_nodefaultlibs, options::OPT_r);
  Shape.Rdc =
      Parsed.hasFlag(options::OPT_fgpu_rdc, options::OPT_fno_gpu_rdc, false);
  if (opt::Arg *A = Parsed.getLastArg(options::OPT_offload_host_only,
                                      options::OPT_offload_device_only,
                                      options::OPT_offload_host_device))
    Shape.DeviceOnly = A->getOption().matches(options::OPT_offload_device_only);
  if (opt::Arg *A = Parsed.getLastArg(options::OPT_fgpu_default_stream_EQ))
    Shape.PerThreadStream = StringRef(A->getValue()) == "per-thread";

  Shape.Target = Parsed.getLastArgValue(options::OPT_target).str();
  describeLink(Shape, Parsed);

  bool Native = !Parsed.hasArg(options::OPT_target, options::OPT_m32);
  types::ID Language = types::TY_Nothing;
  for (const opt::Arg *A : Parsed) {
    if (A->getOption().matches(options::OPT_x)) {
      Language = types::lookupTypeForTypeSpecifier(A->getValue());
      if (StringRef(A->getValue()) == "none")
        Language = types::TY_Nothing;
    } else if (A->getOption().matches(options::OPT_Xlinker) ||
               A->getOption().matches(options::OPT_Wl_COMMA)) {
      // An archive may be named to the linker alone; Echo's own says nothing.
      for (StringRef Word : A->getValues())
        if (sys::fs::is_regular_file(Word) &&
            !sys::path::filename(Word).starts_with("libecho"))
          describeInput(Shape, Word);
    } else if (A->getOption().matches(options::OPT_l)) {
      describeLibrary(Shape, Parsed, A->getValue());
    } else if (A->getOption().matches(options::OPT_INPUT)) {
      describeSource(Shape, A->getValue(), Language, Native);
    }
  }
  Shape.MayNeedCudart |= Shape.HasPlainCuda;
  return Shape;
}

void renameCudaLanguage(std::vector<std::string> &Args) {
  for (size_t I = 0; I < Args.size(); ++I)
    if (Args[I] == "-xcu")
      Args[I] = "-xcuda";
    else if (Args[I] == "-x" && I + 1 < Args.size() && Args[I + 1] == "cu")
      Args[++I] = "cuda";
}

static bool isArchOption(StringRef Arg) {
  return Arg.starts_with("--offload-arch=") ||
         Arg.starts_with("--cuda-gpu-arch=");
}

/// The architectures that \p Args name for clang.
static SmallVector<StringRef> namedArchs(ArrayRef<std::string> Args) {
  SmallVector<StringRef> Names;
  for (StringRef Arg : Args)
    if (isArchOption(Arg))
      Arg.split('=').second.split(Names, ',');
  return Names;
}

/// 75 of "sm_75" and "sm_75a"; 0 of anything else.
static unsigned numberOfArch(StringRef Name) {
  unsigned Number = 0;
  return Name.consume_front("sm_") && !Name.consumeInteger(10, Number) ? Number
                                                                       : 0;
}

void leaveOutArchs(std::vector<std::string> &Args, unsigned Oldest,
                   std::vector<std::string> &Notes) {
  if (llvm::none_of(namedArchs(Args), [&](StringRef Name) {
        return numberOfArch(Name) >= Oldest;
      }))
    return;
  llvm::erase_if(Args, [&](StringRef Arg) {
    const StringRef Name = isArchOption(Arg) ? Arg.split('=').second : "";
    const unsigned Number = numberOfArch(Name);
    const bool Old = Number && Number < Oldest && !Name.contains(',');
    if (Old)
      Notes.push_back(Name.str() +
                      " is not supported by this CUDA toolkit; it is left out");
    return Old;
  });
}

/// Names the version of PTX that some architectures need: clang takes CUDA 13
/// for 12.9, whose PTX is too old for these.
static void addPtxVersion(std::vector<std::string> &Args) {
  const bool Given = llvm::any_of(Args, [](StringRef Arg) {
    return Arg.starts_with("--cuda-feature=+ptx");
  });
  if (!Given && llvm::any_of(namedArchs(Args), [](StringRef Name) {
        return Name.starts_with("sm_110") || Name == "sm_88";
      }))
    Args.push_back("--cuda-feature=+ptx90");
}

/// The CPU device takes one device job: the newest architecture asked for. From
/// sm_90 on CUB, and so Thrust, uses inline PTX that the device does not have.
static void keepNewestArch(std::vector<std::string> &Args) {
  unsigned Best = 0;
  std::string Newest = "sm_89";
  for (StringRef Name : namedArchs(Args)) {
    if (const unsigned Number = numberOfArch(Name); Number > Best) {
      Best = Number;
      Newest = Name.str();
    }
  }
  llvm::erase_if(Args, [](const std::string &Arg) {
    return isArchOption(Arg) ||
           StringRef(Arg).starts_with("--no-offload-arch=");
  });
  Args.push_back("--offload-arch=" + Newest);
}

/// echort as a whole: its functions replace the weak ones in the objects.
static void addRuntime(std::vector<std::string> &Args, const Paths &Where) {
  if (std::string Rt = Where.runFile("libechort.a"); !Rt.empty())
    Args.insert(Args.end(), {"-Xlinker", "--whole-archive", "-Xlinker", Rt,
                             "-Xlinker", "--no-whole-archive"});
}

std::vector<std::string> checkLibraryWords(const Paths &Where) {
  std::vector<std::string> Words;
  for (const char *Symbol : {"echo_check_report", "malloc", "pthread_create"})
    Words.insert(Words.end(), {"--undefined", Symbol});
  if (std::string File = Where.runFile("libecho_check.a"); !File.empty())
    Words.push_back(File);
  return Words;
}

static void addCheckLibrary(std::vector<std::string> &Args,
                            const Paths &Where) {
  for (const std::string &Word : checkLibraryWords(Where))
    Args.insert(Args.end(), {"-Xlinker", Word});
}

static void addCudaLibraries(std::vector<std::string> &Args,
                             const ToolkitInfo &Toolkit, StringRef CudaRt,
                             const CommandShape &Shape) {
  Args.push_back("-Wl,--push-state,--as-needed");
  if (!Toolkit.LibDir.empty())
    Args.push_back("-L" + Toolkit.LibDir);
  if (CudaRt == "shared")
    Args.push_back("-lcudart");
  else if (CudaRt != "none")
    Args.push_back("-lcudart_static");
  if (Shape.HasDeviceObjects || Shape.Rdc) {
    Args.push_back("-lcudadevrt");
    // Kernels that launch kernels need its device part.
    if (!Toolkit.LibDir.empty())
      Args.insert(Args.end(), {"-Xoffload-linker", "-L" + Toolkit.LibDir,
                               "-Xoffload-linker", "-lcudadevrt"});
  }
  for (const char *Library : {"-lstdc++", "-lm", "-ldl", "-lrt", "-lpthread"})
    Args.push_back(Library);
  Args.push_back("-Wl,--pop-state");
}

static void addCpuLibraries(std::vector<std::string> &Args, const Paths &Where,
                            const CpuLibraries &Libraries, StringRef CudaRt) {
  for (const std::string &Archive : Libraries.Archives)
    Args.insert(Args.end(), {"-Xlinker", Archive});
  bool Shared = CudaRt == "shared";
  std::string File =
      Where.runFile(Shared ? "cpu/libcudart.so" : "libecho_cpu.a");
  if (!File.empty())
    Args.insert(Args.end(), {"-Xlinker", File});
  if (!File.empty() && Shared)
    Args.insert(Args.end(),
                {"-Xlinker", "-rpath", "-Xlinker", Where.RunDir + "/cpu"});
  llvm::append_range(Args, Libraries.Needs);
  for (const char *Library : {"-lstdc++", "-lpthread", "-ldl", "-lm"})
    Args.push_back(Library);
}

/// What nvcc and GCC, its host compiler, take with a warning or without one. At
/// the front: the user's own flags have the last word.
static void addNvccLeniency(std::vector<std::string> &Args) {
  static constexpr const char *Flags[] = {
      "-fgnu-keywords",
      "-Wno-cuda-compat",
      "-Wno-error=register",
      "-Wno-error=c++11-narrowing",
      "-Wno-error=reserved-user-defined-literal",
      "-Wno-error=missing-template-arg-list-after-template-kw",
      // In C.
      "-Wno-error=implicit-function-declaration",
      "-Wno-error=implicit-int",
      "-Wno-error=incompatible-function-pointer-types",
      "-Wno-error=incompatible-pointer-types",
      "-Wno-error=int-conversion",
      "-Wno-error=return-mismatch",
  };
  Args.insert(Args.begin(), std::begin(Flags), std::end(Flags));
}

/// nvcc's -O and -g are about host code: device code is optimized unless -G
/// says no, and has lines only by -lineinfo or -G.
static void compileDeviceAsNvcc(std::vector<std::string> &Args) {
  const auto IsSet = [&](StringRef Flag) {
    for (size_t I = 0; I + 1 < Args.size(); ++I)
      if (Args[I] == "-Xarch_device" &&
          StringRef(Args[I + 1]).starts_with(Flag))
        return true;
    return false;
  };
  const bool Debug = llvm::is_contained(Args, "--cuda-noopt-device-debug");
  const bool HasLevel = !Debug && IsSet("-O"), HasLines = IsSet("-g");
  if (!HasLevel)
    Args.insert(Args.end(), {"-Xarch_device", Debug ? "-O0" : "-O3"});
  if (!HasLines)
    Args.insert(Args.end(), {"-Xarch_device", "-g0"});
}

/// Adds to \p Args what a CUDA source needs: the toolkit and an architecture.
static void completeCuda(std::vector<std::string> &Args,
                         const CommandShape &Shape, bool Cpu,
                         const ToolkitInfo &Toolkit, const Paths &Where) {
  if (llvm::none_of(
          Args, [](StringRef Arg) { return Arg.starts_with("--cuda-path="); }))
    Args.push_back("--cuda-path=" + Toolkit.Path);
  if (Cpu)
    return keepNewestArch(Args);
  if (!Shape.HasArch) {
    std::vector<std::string> Native =
        nativeArchs(Where.LlvmBin + "/nvptx-arch");
    if (Native.empty())
      Native.push_back(defaultArch(Toolkit));
    for (const std::string &Arch : Native)
      Args.push_back("--offload-arch=" + Arch);
  }
  addPtxVersion(Args);
}

/// Adds to \p Args, which link, the libraries of Echo and of CUDA.
static void completeLink(std::vector<std::string> &Args,
                         const CommandShape &Shape, const EchoOptions &Options,
                         bool Cpu, const CpuLibraries &Libraries,
                         const ToolkitInfo &Toolkit, const Paths &Where,
                         StringRef CudaRt) {
  // A source that is compiled here may merge pairs. Without a CUDA runtime
  // on this line echort could not be linked.
  if (Shape.HasMergedPairs ||
      ((Shape.HasCuda || Shape.HasCudaBitcode || Shape.HasPlainCuda) &&
       Options.Host.Unify && (Cpu || CudaRt != "none")))
    addRuntime(Args, Where);
  if (Options.Host.Check || Shape.HasChecks)
    addCheckLibrary(Args, Where);
  if (Cpu)
    addCpuLibraries(Args, Where, Libraries, CudaRt);
  else if (Toolkit.found())
    addCudaLibraries(Args, Toolkit, CudaRt, Shape);
  // The driver links device code by itself where it compiles some, too.
  if ((Shape.HasDeviceObjects || Shape.Rdc) && !Shape.HasDeviceLink && !Cpu &&
      !(Shape.HasCuda && Shape.Rdc))
    Args.push_back("--offload-link");
}

Error completeCommand(std::vector<std::string> &Args, const CommandShape &Shape,
                      const EchoOptions &Options, const ToolkitInfo &Toolkit,
                      const Paths &Where, StringRef CudaRt) {
  // A link tool that does not repeat the compile flags need not.
  bool Cpu = Options.Device.Cpu || (Shape.HasCpuObjects && !Shape.HasCuda);
  if (Cpu)
    llvm::erase_if(Args, [](StringRef Arg) {
      return isCudaRuntime(Arg) || Arg == "-fgpu-rdc";
    });
  CpuLibraries Libraries;
  if (Cpu && Shape.Links) {
    Expected<CpuLibraries> Taken = takeCpuLibraries(Args, Where);
    if (!Taken)
      return Taken.takeError();
    Libraries = std::move(*Taken);
  }
  // What follows must not land after a "--" of the user.
  auto Dashes = llvm::find(Args, "--");
  std::vector<std::string> Tail(Dashes, Args.end());
  Args.erase(Dashes, Args.end());
  // To nvcc an architecture without a CUDA source means nothing; to clang it
  // asks for OpenMP offloading where -fopenmp is there too.
  if (!Shape.HasCuda && Shape.NvccArch)
    llvm::erase_if(Args, [](StringRef Arg) { return isArchOption(Arg); });
  if (Shape.AsNvcc && (Shape.HasCuda || Shape.HasPlainSource))
    addNvccLeniency(Args);
  if (Shape.AsNvcc && Shape.HasCuda && !Cpu)
    compileDeviceAsNvcc(Args);
  // Standard input can be read once only.
  if (Shape.CudaFromStdin && !Shape.DeviceOnly)
    Args.push_back("--offload-host-only");
  if (Shape.HasCuda)
    completeCuda(Args, Shape, Cpu, Toolkit, Where);
  // As nvcc, which finds cuda_runtime.h for host sources too; last, so that a
  // source that uses no CUDA sees nothing of it.
  if (!Shape.HasCuda && Shape.HasPlainSource && Toolkit.found())
    Args.insert(Args.end(), {"-idirafter", Toolkit.IncludeDir});
  if (Shape.Links && !Shape.NoStdLib && (Shape.HasCuda || Shape.MayNeedCudart))
    completeLink(Args, Shape, Options, Cpu, Libraries, Toolkit, Where, CudaRt);
  Args.insert(Args.end(), Tail.begin(), Tail.end());
  return Error::success();
}

} // namespace echo
