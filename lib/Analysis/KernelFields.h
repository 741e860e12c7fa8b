//===- KernelFields.h - Pointers inside a kernel's structs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does with the pointers that it finds in a parameter which is a
// struct or lambda, from its uses in device IR. Whatever is not understood
// means that nothing is known. It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELFIELDS_H
#define ECHO_ANALYSIS_KERNELFIELDS_H

#include "Analysis/KernelFacts.h"

namespace llvm {
class Argument;
} // namespace llvm

namespace echo {

/// All loads of byval parameter \p A: bytes that are loaded as a pointer have
/// the facts of its uses, others are captured. Nothing if \p A is used by
/// anything else than loads.
std::optional<std::vector<FieldFacts>> collectFields(const llvm::Argument &A);

} // namespace echo

#endif
