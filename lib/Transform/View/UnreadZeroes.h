//===- UnreadZeroes.h - Zeroes of calloc that nobody reads ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// calloc clears a buffer that a download may overwrite before anybody reads it.
// In a merged block that would destroy the content of the device buffer, or
// meet the kernel that computes it. What nobody reads need not be written where
// echort joins the buffer to a block: such calls are marked, in the view,
// before the pairs are decided again. Writes of the program's own stay.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_UNREADZEROES_H
#define ECHO_TRANSFORM_VIEW_UNREADZEROES_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class FunctionDecision;

/// Marks calls of calloc in view \p F, of which \p D was made, if a pair of
/// theirs was declined because of a host write and nobody reads the zeroes.
/// True if there are any: then \p D is stale.
bool markUnreadZeroes(llvm::Function &F, const FunctionDecision &D);

} // namespace echo

#endif
