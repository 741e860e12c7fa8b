//===- CpuLibraries.h - CUDA's libraries on the CPU device ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --device=cpu a program that names cuBLAS or another library of
// CpuLibraries.def is linked with what stands for it on the CPU device. A
// library that is not in the table is left to the linker.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_CPULIBRARIES_H
#define ECHO_TOOLS_ECHOCC_CPULIBRARIES_H

#include "driver/Paths.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace echo {

/// What a command line names of CUDA's libraries.
/// True for words that name CUDA's runtime, in place of which the CPU device is
/// linked.
inline bool isCudaRuntime(llvm::StringRef Word) {
  return Word == "-lcudart" || Word == "-lcudart_static" ||
         Word == "-lcudadevrt";
}

struct CpuLibraries {
  std::vector<std::string> Archives; ///< files, in order, each once
  std::vector<std::string> Needs;    ///< linker words for what they stand on
};

/// Takes the CUDA libraries of the table out of \p Args, however they are
/// named: -lcublas, -l cublas, or a file libcublas.so or libcublas_static.a.
/// Fails for one that this Echo was built without.
llvm::Expected<CpuLibraries> takeCpuLibraries(std::vector<std::string> &Args,
                                              const Paths &Where);

} // namespace echo

#endif
