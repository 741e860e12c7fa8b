//===- DependencyFile.h - Makefile rules as nvcc writes them ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake's FindCUDA reads the rules that nvcc -M writes line by line: the target
// before " : ", then one file in each line. Clang fills its lines. To make,
// both are the same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_DEPENDENCYFILE_H
#define ECHO_TOOLS_ECHOCC_DEPENDENCYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace echo {

/// \p Rules with one dependency in each line. Rules without any (phony targets
/// of headers) stay as they are, as does what is no rule.
std::string oneDependencyPerLine(llvm::StringRef Rules);

/// Writes the rules of \p Path anew so. An error says which file cannot be read
/// or written.
llvm::Error writeAsNvcc(const std::string &Path);

} // namespace echo

#endif
