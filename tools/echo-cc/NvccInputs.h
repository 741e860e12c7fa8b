//===- NvccInputs.h - What a command line compiles --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the names of files and from -x whether CUDA is compiled, before
// any flag is read: what a flag means depends on it. Reads no file.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCINPUTS_H
#define ECHO_TOOLS_ECHOCC_NVCCINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace echo {

/// What is compiled. Plain: C and C++ sources alone, where clang's meaning of
/// an ambiguous word wins. Objects: nothing, only linked.
enum class Inputs { Cuda, Plain, Objects };

/// True if \p Arg is the name of a file with one of \p Extensions.
bool isSource(llvm::StringRef Arg, llvm::ArrayRef<llvm::StringRef> Extensions);

/// What a command of \p Args compiles.
Inputs inputsOf(llvm::ArrayRef<std::string> Args);

} // namespace echo

#endif
