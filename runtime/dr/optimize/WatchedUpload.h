//===- WatchedUpload.h - What the host writes beside an upload --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choice pinned-queued: decides which of a pair's uploads is watched instead of
// going on, and closes the host buffer to writes until the program has waited
// as it would have for an upload that goes on. A watched upload has ended
// before its call returns, so what the host writes then is right here; one that
// goes on might have read it. What the host reads by itself is never noted; a
// system call that uses the buffer is, as nobody knows which way.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_WATCHEDUPLOAD_H
#define ECHO_RUNTIME_DR_OPTIMIZE_WATCHEDUPLOAD_H

#include "runtime/dr/optimize/Memory.h"

namespace echo::dr {

/// Whether the upload of \p P's that comes now is watched. The caller is alone.
bool watchesUpload(Pair &P);

/// The host buffer of \p S is closed to writes. False if it cannot be.
bool closeToWrites(Served &S);

/// The program has waited: the host buffer of \p S opens. If somebody wrote it
/// before that, its pair is left.
void endWatchedUpload(Served &S);

/// This process is a child: the host buffer of \p S is its own.
void openForChild(const Served &S);

/// \p S is about to go.
void forgetWrites(Served &S);

} // namespace echo::dr

#endif
