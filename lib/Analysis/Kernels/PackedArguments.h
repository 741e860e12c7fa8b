//===- PackedArguments.h - Pointers in numbers given to kernels -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On aarch64 a struct of at most 16 bytes is one argument of the compiled call:
// a number, or an array of two. Tells which pointers such an argument of a
// kernel's stub carries, and at which byte. Decided from the values that it is
// put together from, or from the view that it is loaded from.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_PACKEDARGUMENTS_H
#define ECHO_ANALYSIS_KERNELS_PACKEDARGUMENTS_H

#include "Analysis/Kernels/KernelViews.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace echo {

/// What an argument that is no pointer carries.
struct PackedPointers {
  /// Pointers and other values, byte 0 being the argument's first.
  llvm::SmallVector<KernelViews::Content, 4> Found;
  bool Complete = true; ///< else there may be pointers that are not followed
};

/// What argument \p Arg is put together from. A pointer that is followed is
/// always found, as itself or as the value that it was made a part of.
PackedPointers packedPointers(const llvm::Value &Arg, const KernelViews &Views);

/// True if \p Number, the address of a buffer, only becomes a part of structs
/// that kernels get by value, where packedPointers() finds it.
bool onlyPacked(const llvm::Instruction &Number);

} // namespace echo

#endif
