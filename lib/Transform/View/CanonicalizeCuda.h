//===- CanonicalizeCuda.h - CUDA's out-parameters as values -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMalloc(&d, n) takes the address of d, which keeps d from becoming a
// value. Gives each such call a private variable instead: d is copied in
// before the call and out after it, so that the call alone sees an address.
// What the program computes stays the same, also when the call fails.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_CANONICALIZECUDA_H
#define ECHO_TRANSFORM_VIEW_CANONICALIZECUDA_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Rewrites the out-parameters of CUDA calls, and of modelled calls that create
/// a library handle or a block of memory, whose target is a local variable of
/// \p F or in a block of the heap that it allocates. The private variables
/// carry metadata !echo.out. Returns true if anything changed.
bool canonicalizeOutParameters(llvm::Function &F, const ModelTable &Models);

/// Turns invokes of functions that never unwind (CUDA runtime, kernel stubs,
/// models marked nounwind) into calls. Returns true if anything changed.
bool dropUnwindOfKnownCalls(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
