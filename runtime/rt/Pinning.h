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

/// Smaller buffers gain nothing from being pinned.
inline constexpr size_t MinPinnedBytes = size_t(256) << 10;

/// Lets \p B be pinned: at its first copy if \p Soon, else once its copies
/// repeat. For a block that is about to be registered.
void preparePinning(Block &B, bool Soon);

/// A copy of \p Bytes bytes of \p B is next. Pins \p B if that will pay; true
/// if it is pinned.
bool beforeCopy(Block &B, size_t Bytes);

/// True if \p B is pinned now.
bool isPinned(const Block &B);

/// Lets CUDA forget the memory of \p B, which is about to be given back. False
/// if that memory must not be given back: it is the parent process's alone, or
/// CUDA cannot be asked to forget it now.
bool unpin(Block &B);

/// True if a child process gets no copy of what \p B holds: memory of CUDA's,
/// or pinned memory where the kernel's fork would move pinned pages.
bool isKeptFromChildren(const Block &B);

/// Bytes that are pinned now.
uint64_t pinnedBytes();

} // namespace echo::rt

#endif
