//===- HeapObjects.h - Heap objects as local variables ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object of the heap that holds buffers' pointers (new Context,
// malloc(sizeof *ctx)) hides them as memory does. Where every use of its
// address is seen, and none keeps it, the object is moved into a local
// variable, whose fields SROA then turns into values. C++ lets a compiler leave
// out such an allocation. Counts of references in it (std::make_shared) stay
// what they are.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_HEAPOBJECTS_H
#define ECHO_TRANSFORM_VIEW_HEAPOBJECTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Moves such objects of \p F to its stack. Their pointers must be values: run
/// it after SROA. Returns true if anything changed.
bool moveHeapObjects(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
