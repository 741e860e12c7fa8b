//===- HostSource.h - nvcc's -cuda ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's -cuda makes the C++ file that its host compiler is to compile. Clang
// has none on its way to an object; here it is the host's assembly, device code
// included, in one `asm` of C++, which any compiler makes the same object from.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_HOSTSOURCE_H
#define ECHO_CC_HOSTSOURCE_H

#include "driver/Jobs.h"
#include <string>
#include <vector>

namespace echo {

/// One command with -cuda.
class HostSource {
public:
  /// Makes \p Args compile into an assembly file of \p Files. An error if they
  /// name no one output.
  llvm::Error prepare(std::vector<std::string> &Args, PrivateFiles &Files);

  /// Writes the C++ file, from the assembly that is there now.
  llvm::Error write() const;

  /// The file that it is made from, and its own; "" before prepare().
  llvm::StringRef assembly() const { return Assembly; }
  llvm::StringRef output() const { return Output; }

private:
  std::string Assembly, Output;
};

} // namespace echo

#endif
