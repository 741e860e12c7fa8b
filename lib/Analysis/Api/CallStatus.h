//===- CallStatus.h - What a branch tells of a call -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs compare the status that a CUDA call returns with cudaSuccess, which
// is 0. Says what is known of a call after such a branch.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_CALLSTATUS_H
#define ECHO_ANALYSIS_API_CALLSTATUS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class CallBase;
class Value;
} // namespace llvm

namespace echo {

/// The call that returned 0, or that returned something else, where control
/// goes from \p From to \p To; null if the branch tells of none.
const llvm::CallBase *callThatSucceeded(const llvm::BasicBlock *From,
                                        const llvm::BasicBlock *To);
const llvm::CallBase *callThatFailed(const llvm::BasicBlock *From,
                                     const llvm::BasicBlock *To);

/// Adds to \p Calls those that returned 0 where \p Condition, of a branch or a
/// select, has the value \p Holds.
void addSucceededCalls(const llvm::Value &Condition, bool Holds,
                       llvm::SmallVectorImpl<const llvm::CallBase *> &Calls);

/// True if control takes the edge from \p From to \p To only where \p Pointer
/// is null: then there is no such buffer. If not \p Null, where it is not null.
bool isNullOn(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
              const llvm::Value *Pointer, bool Null = true);

} // namespace echo

#endif
