//===- RealCopies.h - Copies of merged buffers that may run -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the copies of a merged host buffer that may run for real, and says
// where the host then has to wait.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_REALCOPIES_H
#define ECHO_TRANSFORM_EMIT_REALCOPIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace echo {

class FunctionDecision;
struct PairDecision;

/// A copy of a merged host buffer that may run for real.
struct RealCopy {
  llvm::CallInst *Call;
  uint32_t Flags;
  bool Ahead; ///< the host waits before it, not after it
  bool Links; ///< its other side may be a merged block, too
};

/// The copies of host buffer \p Host of \p F, of which \p Pairs merge, that may
/// run for real.
llvm::SmallVector<RealCopy, 2>
realCopies(llvm::Function &F, const FunctionDecision &Decision, unsigned Host,
           llvm::ArrayRef<const PairDecision *> Pairs);

/// True if a copy that stays may use the device side of \p P and CUDA must take
/// that for device memory: the copy does not say its direction, so that CUDA
/// asks the pointers, or it takes its place in the order of a stream. So may
/// the call of a library, or a copy from or to an array.
bool isCopiedAsDevices(llvm::Function &F, const FunctionDecision &Decision,
                       const PairDecision &P);

} // namespace echo

#endif
