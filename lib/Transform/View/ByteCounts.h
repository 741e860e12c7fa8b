//===- ByteCounts.h - Code that computes sizes at run time ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of buffers and of copies as values of 64 bits, for calls of echort. A
// product that overflows is all ones, so that the runtime refuses and the
// original call fails as the program expects.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_BYTECOUNTS_H
#define ECHO_TRANSFORM_VIEW_BYTECOUNTS_H

#include "llvm/IR/IRBuilder.h"

namespace echo {

/// The bytes that allocation \p Call makes: the product of its arguments
/// \p SizeArgs.
llvm::Value *byteCount(llvm::IRBuilder<> &B, const llvm::CallBase &Call,
                       llvm::ArrayRef<unsigned> SizeArgs);

/// What a copy between host and device moves.
struct CopyOperands {
  llvm::Value *Dst = nullptr, *Src = nullptr;
  llvm::Value *Bytes = nullptr;
  /// How far its last byte lies after its first, plus one.
  llvm::Value *Extent = nullptr;
  /// Whether its rows are no wider than their distance; null: it has none.
  llvm::Value *Fits = nullptr;
};
/// Those of \p Call, of CUDA's runtime or of cuBLAS (LibraryCopies.h).
CopyOperands operandsOf(llvm::IRBuilder<> &B, const llvm::CallBase &Call);

/// The stream operand of copy or set \p Call; null: it has none.
llvm::Value *streamOf(const llvm::CallBase &Call);

/// What copy \p Call returns where CUDA's answer is \p CudaError.
llvm::Value *statusOf(llvm::IRBuilder<> &B, const llvm::CallBase &Call,
                      llvm::Value *CudaError);

} // namespace echo

#endif
