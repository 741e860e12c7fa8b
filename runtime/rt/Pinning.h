//===- Pinning.h - When the host side of a pair is pinned -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backing pinned-split: the host buffer is system memory of echort's, which
// CUDA is asked to pin once its copies have shown that they repeat. The bytes
// copied so far decide, and a bound on what is pinned in all. Memory that is
// not pinned works as the program's own would: no failure here is more than
// a copy at the old speed, and none leaves a CUDA error behind.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_PINNING_H
#define ECHO_RUNTIME_RT_PINNING_H

#include "runtime/rt/Block.h"

namespace echo::rt {

/// True if a pinned page stays where it is in the parent when another thread
/// forks: Linux copies such pages at once, from 5.12 on.
bool forkKeepsPinnedPages();

/// A copy of \p Bytes bytes of \p B is next. Pins \p B if that will pay.
void beforeCopy(Block &B, size_t Bytes);

/// Lets CUDA forget the memory of \p B, which is about to be given back.
void unpin(Block &B);

/// Bytes that are pinned now.
uint64_t pinnedBytes();

} // namespace echo::rt

#endif
