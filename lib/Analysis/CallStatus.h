//===- CallStatus.h - What a branch tells of a call -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs compare the status that a CUDA call returns with cudaSuccess, which
// is 0. Says what is known of a call behind such a branch.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CALLSTATUS_H
#define ECHO_ANALYSIS_CALLSTATUS_H

namespace llvm {
class BasicBlock;
class CallBase;
} // namespace llvm

namespace echo {

/// The call that returned 0, or that returned something else, where control
/// goes from \p From to \p To; null if the branch tells of none.
const llvm::CallBase *callThatSucceeded(const llvm::BasicBlock *From,
                                        const llvm::BasicBlock *To);
const llvm::CallBase *callThatFailed(const llvm::BasicBlock *From,
                                     const llvm::BasicBlock *To);

} // namespace echo

#endif
