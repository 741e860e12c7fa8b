//===- VoidPointers.h - Arithmetic on pointers to void ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GCC counts bytes in arithmetic on pointers to void, and so does nvcc; clang
// does so in C only. The expression becomes one on pointers to char, of the
// type that it had.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_VOIDPOINTERS_H
#define ECHO_CC_VOIDPOINTERS_H

#include "cc1/SourceEdits.h"

namespace echo {

/// The expression of the pointer at \p Pointer and the operator at \p Op: one
/// of + - += -= ++ and --. Each operand is evaluated once, in the order that it
/// had. Nothing: the text is another, or where an operand ends does not show.
std::optional<SourceEdit> editVoidPointer(llvm::StringRef Text, size_t Pointer,
                                          size_t Op);

} // namespace echo

#endif
