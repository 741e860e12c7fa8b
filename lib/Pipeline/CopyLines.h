//===- CopyLines.h - Lines that copy more than once -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the source lines on which host code calls CUDA to copy at more than one
// place, whether or not a pair is there: what ran on such a line may be any of
// the copies. It reads the module before anything was inlined.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_COPYLINES_H
#define ECHO_PIPELINE_COPYLINES_H

#include "Support/Verdict.h"

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// These lines in \p M, each with column 0.
std::vector<SourcePlace> linesOfSeveralCopies(const llvm::Module &M);

} // namespace echo

#endif
