//===- Paths.h - Where Echo's parts and LLVM's tools are --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places relative to the running echo-cc, the same in a build tree and in an
// installed one, and LLVM 22's tools, from the environment (ECHO_LLVM_DIR),
// beside echo-cc, or as configured.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_PATHS_H
#define ECHO_TOOLS_ECHOCC_PATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace echo {

struct Paths {
  std::string Self;    ///< this executable
  std::string LibDir;  ///< lib/echo: plug-ins, shim header
  std::string RunDir;  ///< runtimes and device library: lib/echo, or its folder
                       ///< for another processor than echo-cc's own
  std::string LlvmBin; ///< holds clang, clang-linker-wrapper, nvptx-arch
  std::vector<std::string> Models; ///< built-in model files, sorted

  std::string clang() const { return LlvmBin + "/clang"; }
  /// \p Name in lib/echo if it is there, else "".
  std::string ownFile(const std::string &Name) const;
  /// The same in RunDir.
  std::string runFile(const std::string &Name) const;

  /// Makes RunDir that of \p Target, a triple. False if it has no runtimes.
  bool setTarget(llvm::StringRef Target);
};

/// Finds them from \p Argv0.
Paths findPaths(const char *Argv0);

/// Adds the system's folders to PATH where it leads to no linker: build systems
/// call with a PATH that has the compiler's folder alone, or none.
void completeSearchPath();

} // namespace echo

#endif
