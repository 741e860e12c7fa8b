//===- DeviceBases.h - Where a device buffer starts, at a copy --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy may run behind an allocation that not all ways to it pass: an address
// of which the function itself tells by a phi whether it is there. Then the
// address that the last allocation gave is kept in a variable.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEVICEBASES_H
#define ECHO_TRANSFORM_DEVICEBASES_H

#include "Analysis/Decide.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace echo {

class DeviceBases {
public:
  /// Made before the rewrite of \p F changes it.
  DeviceBases(llvm::Function &F, const FunctionDecision &Decision);
  /// The address of the buffer that device buffer \p Object is in a copy of the
  /// function, \p Call, computed by \p B.
  llvm::Value *at(llvm::IRBuilder<> &B, const llvm::CallInst &Call,
                  unsigned Object);

private:
  llvm::Function &F;
  const FunctionDecision &Decision;
  /// Copies between the two of a pair, not all ways to which pass the device
  /// buffer's allocation.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Beside;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> Variables;
};

} // namespace echo

#endif
