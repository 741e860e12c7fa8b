//===- CommandLine.h - What a command does, and what Echo adds --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a clang command line (which inputs, up to which phase) and adds to
// it what nvcc and Echo provide by themselves: toolkit, GPU architecture,
// libraries. A command without CUDA input and without object files is left as
// it is, so that its output is clang's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_COMMANDLINE_H
#define ECHO_TOOLS_ECHOCC_COMMANDLINE_H

#include "driver/Options.h"
#include "driver/Paths.h"
#include "driver/Toolkit.h"
#include "clang/Driver/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace echo {

/// What a command line asks for.
struct CommandShape {
  bool HasCuda = false;          ///< a CUDA source is among the inputs
  bool CudaFromStdin = false;    ///< one of them is standard input
  bool HasPlainSource = false;   ///< a C or C++ source is among the inputs
  bool HasPlainCuda = false;     ///< one of these names CUDA
  bool Links = false;            ///< the last phase is the link
  bool Verbose = false;          ///< -v
  bool NamesNoFile = false;      ///< an input is not there
  bool Preprocesses = false;     ///< the last phase is the preprocessor
  bool MayNeedCudart = false;    ///< an object or library may use CUDA
  bool HasMergedPairs = false;   ///< an object asks echort
  bool HasDeviceObjects = false; ///< an object holds device code to link
  bool HasCpuObjects = false;    ///< an object holds kernels as host code
  bool HasChecks = false;        ///< an object was compiled with --check
  bool HasDeviceLink = false;    ///< an object comes from -dlink
  bool HasArch = false;          ///< names a GPU architecture
  bool NvccArch = false;         ///< all of those were spelt as nvcc's
  bool AsNvcc = false;           ///< some flag was nvcc's alone
  bool Silent = false;           ///< -w
  bool NoStdLib = false;         ///< -nostdlib, -nodefaultlibs, -r
  bool DeviceOnly = false;
  bool PerThreadStream = false;
  bool Rdc = false;            ///< relocatable device code
  bool Lto = false;            ///< -flto, of either kind
  bool HasCudaBitcode = false; ///< an input is bitcode that may use CUDA
  bool OtherLinker = false;    ///< asks for another linker than LLVM's
  unsigned Sources = 0;        ///< C, C++ and CUDA
  std::string Target;          ///< --target, or ""
};

/// True if an object that names \p Symbol has merged pairs: it is of echort's
/// interface (runtime/abi/EchoRt.h, Calls.def).
bool isOfMergedPairs(llvm::StringRef Symbol);

/// True if the text of C or C++ source \p File names CUDA or a library of it.
/// What it includes does not count.
bool namesCuda(llvm::StringRef File);

/// The linker's words for what follows pairs at run time (--check). Functions
/// of the C library that the program does not replace itself are the check
/// library's.
std::vector<std::string> checkLibraryWords(const Paths &Where);

/// Describes \p Args (the program's name excluded). Never reports anything:
/// the driver does when it builds the compilation.
CommandShape describeCommand(const clang::driver::Driver &D,
                             llvm::ArrayRef<std::string> Args);

/// Removes from \p Args the architectures older than sm_\p Oldest, if others
/// stay, and says so in \p Notes: CMake's "all" and "all-major" name those of
/// older toolkits. 0: no toolkit, and nothing is too old.
void leaveOutArchs(std::vector<std::string> &Args, unsigned Oldest,
                   std::vector<std::string> &Notes);

/// Replaces nvcc's language name ("-x cu") by clang's.
void renameCudaLanguage(std::vector<std::string> &Args);

/// Adds toolkit, architecture and libraries to \p Args. \p CudaRt is static,
/// shared or none. Fails where the CPU device cannot serve a library.
llvm::Error completeCommand(std::vector<std::string> &Args,
                            const CommandShape &Shape,
                            const EchoOptions &Options,
                            const ToolkitInfo &Toolkit, const Paths &Where,
                            llvm::StringRef CudaRt);

} // namespace echo

#endif
