//===- ReclaimPool.h - Device memory of the program's own -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort keeps free blocks for the next pair of their size. What the program
// allocates on the device otherwise must not fail for that: before each such
// call echort is asked to give back what is in the way. Nor must what it keeps
// show where the program asks how much memory there is. Nothing else changes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_RECLAIMPOOL_H
#define ECHO_TRANSFORM_EMIT_RECLAIMPOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace echo {

class ModelTable;
class SharedCalls;

/// Allocations right before which echort is asked already.
using AskedCalls = llvm::SmallPtrSet<const llvm::CallBase *, 16>;

/// Asks echort before each allocation of device or managed memory in
/// \p Functions, of one module, that is not among \p Asked, and tells it before
/// each call that observes memory; calls of one form go to \p Shared. To be
/// called when no function is analyzed any more, and only where a pair was
/// rewritten: else there is nothing that is kept.
void makeRoomForOthers(llvm::ArrayRef<llvm::Function *> Functions,
                       const AskedCalls &Asked, const ModelTable &Models,
                       SharedCalls &Shared);

} // namespace echo

#endif
