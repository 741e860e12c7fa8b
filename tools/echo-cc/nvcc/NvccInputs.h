//===- NvccInputs.h - What a command line compiles --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the names of files and from -x whether CUDA is compiled, before
// any flag is read: what a flag means depends on it. Decides also which inputs
// -x is about: with nvcc all, wherever it stands, with clang those after it.
// Reads no file, and never changes what a command in clang's words means.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCINPUTS_H
#define ECHO_TOOLS_ECHOCC_NVCCINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace echo {

/// What is compiled. Plain: C and C++ sources alone, where clang's meaning of
/// an ambiguous word wins. Objects: nothing, only linked.
enum class Inputs { Cuda, Plain, Objects };

/// True if \p Arg is the name of a file with one of \p Extensions.
bool isSource(llvm::StringRef Arg, llvm::ArrayRef<llvm::StringRef> Extensions);

/// What a command of \p Args compiles.
Inputs inputsOf(llvm::ArrayRef<std::string> Args);

/// Moves -x in \p Args, which are clang's words, before all inputs that it is
/// about with nvcc; objects and libraries before it stay what they are. Nothing
/// is moved if the command is not nvcc's: \p AsNvcc, or the language is "cu",
/// and all are nvcc's. Says in \p Notes which of several counts.
void moveLanguage(std::vector<std::string> &Args, bool AsNvcc,
                  std::vector<std::string> &Notes);

} // namespace echo

#endif
