//===- DeadFills.h - Host writes that nobody reads --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector's constructor or calloc clears a buffer that a download overwrites
// before anybody has read it. In a merged block that would destroy the content
// of the device buffer, or meet the kernel that computes it. What nobody reads
// need not be written: such writes are removed, or marked, before the pairs are
// decided again.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEADFILLS_H
#define ECHO_TRANSFORM_DEADFILLS_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class FunctionDecision;

/// Removes the host's writes to buffers of pairs that \p D, which was made of
/// \p F, declined because of a host write, where a copy may overwrite what they
/// write, and nobody reads it before. A calloc whose zeroes nobody reads is
/// marked instead. True if there are any: then \p D is stale.
bool removeDeadFills(llvm::Function &F, const FunctionDecision &D);

} // namespace echo

#endif
