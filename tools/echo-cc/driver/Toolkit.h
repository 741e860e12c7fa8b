//===- Toolkit.h - Which CUDA toolkit a compilation uses --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the CUDA toolkit from --cuda-path, the environment and the usual
// places, and says what it knows. It reads files of the toolkit only, and must
// never guess a version: a folder whose version cannot be read is no toolkit.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_TOOLKIT_H
#define ECHO_TOOLS_ECHOCC_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// A CUDA toolkit. An empty Path: none was found.
struct ToolkitInfo {
  std::string Path;       ///< what --cuda-path names
  std::string IncludeDir; ///< holds cuda.h
  std::string CcclDir;    ///< include/cccl (CUDA 13 and newer), or ""
  std::string LibDir;     ///< holds libcudart_static.a, or ""
  std::string FoundBy;    ///< "--cuda-path", "CUDA_HOME", "/usr/local/cuda"...
  unsigned Major = 0, Minor = 0, Build = 0;
  unsigned MinArch = 0; ///< oldest sm_XX that it compiles for, as 75
  unsigned MaxArch = 0; ///< newest that it and this compiler know, as 121

  bool found() const { return !Path.empty(); }
  /// "13.0".
  std::string versionText() const;
};

/// Reads the toolkit in \p Path, or nothing if there is none.
std::optional<ToolkitInfo> readToolkit(llvm::StringRef Path);

/// Finds the toolkit: \p CudaPath (the user's --cuda-path; "" if none) alone
/// if given, then CUDA_HOME, CUDA_PATH, the one in whose bin/ the program lies
/// that was called as \p Argv0 (nvcc as a link), /usr/local/cuda and Debian's.
/// A place that the user named and that holds no toolkit is an error; no
/// toolkit anywhere is an empty result.
llvm::Expected<ToolkitInfo> findToolkit(llvm::StringRef CudaPath,
                                        llvm::StringRef Argv0 = "");

/// Where \p Toolkit has its libraries for processor \p Arch, which is not the
/// one that echo-cc runs on: a Jetson's come before a server's. Or "".
std::string crossLibDir(const ToolkitInfo &Toolkit, llvm::StringRef Arch);

/// The architectures of this machine's GPUs ("sm_90"), asked from \p Tool
/// (LLVM's nvptx-arch); empty if there is no GPU or no driver.
std::vector<std::string> nativeArchs(const std::string &Tool);

/// What --offload-arch should be where the user named none.
std::string defaultArch(const ToolkitInfo &Toolkit);

} // namespace echo

#endif
