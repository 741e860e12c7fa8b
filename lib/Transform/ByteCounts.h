//===- ByteCounts.h - Code that computes sizes at run time ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of buffers and of copies as values of 64 bits, for calls of echort. A
// product that overflows is all ones, so that the runtime refuses and the
// original call fails as the program expects.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_BYTECOUNTS_H
#define ECHO_TRANSFORM_BYTECOUNTS_H

#include "llvm/IR/IRBuilder.h"

namespace echo {

struct MemoryObject;

/// The size of \p O in bytes.
llvm::Value *byteCount(llvm::IRBuilder<> &B, const MemoryObject &O);

/// How many bytes copy \p Call moves, and how far its last byte lies behind its
/// first, plus one.
std::pair<llvm::Value *, llvm::Value *> extentOf(llvm::IRBuilder<> &B,
                                                 const llvm::CallInst &Call);

} // namespace echo

#endif
