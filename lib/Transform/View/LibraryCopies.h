//===- LibraryCopies.h - cublasSetVector as cudaMemcpy ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasSetVector and its kind copy between the host and the device. Where they
// move one piece, a view shows them as the cudaMemcpy that they are, so that
// all that is known of copies holds for them. The program keeps its calls.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_LIBRARYCOPIES_H
#define ECHO_TRANSFORM_VIEW_LIBRARYCOPIES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace echo {

struct CopyOperands;

/// What \p Call, a copy of cuBLAS that moves one piece, moves; its stream, or
/// null; and what it returns where CUDA's answer is \p CudaError.
CopyOperands libraryOperandsOf(llvm::IRBuilder<> &B,
                               const llvm::CallBase &Call);
llvm::Value *libraryStreamOf(const llvm::CallBase &Call);
llvm::Value *libraryStatusOf(llvm::IRBuilder<> &B, const llvm::CallBase &Call,
                             llvm::Value *CudaError);

/// True if \p Name is a function of cuBLAS that copies between host and device.
bool isLibraryCopy(llvm::StringRef Name);

/// Puts CUDA's copies in the place of those of cuBLAS in view \p F that surely
/// move one piece from the first byte on. Not for units with per-thread default
/// streams: the library's is the legacy one.
void copyByCuda(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace echo

#endif
