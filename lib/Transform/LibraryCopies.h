//===- LibraryCopies.h - cublasSetVector as cudaMemcpy ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasSetVector and its kind copy between the host and the device. Where they
// move one piece, they are written as the cudaMemcpy that they are, so that all
// that is known of copies holds for them. Other ones stay calls of the library.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_LIBRARYCOPIES_H
#define ECHO_TRANSFORM_LIBRARYCOPIES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace echo {

/// True if \p Name is a function of cuBLAS that copies between host and device.
bool isLibraryCopy(llvm::StringRef Name);

/// Puts CUDA's copies in the place of those of cuBLAS in \p F that surely move
/// one piece from the first byte on. Not for units with per-thread default
/// streams: the library's is the legacy one.
void copyByCuda(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace echo

#endif
