//===- Uploads.h - Uploads that go on after their return --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pinned-queued: a synchronous upload from the pinned host buffer to its own
// device buffer is queued, and the program goes on beside it. Only for a pair
// that validation passed: there the host wrote nothing between an upload and
// the next wait. What else could meet the upload waits for it first: work that
// the legacy stream does not order, and whatever gives the memory away. It must
// never queue what cannot be followed; that runs as written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_UPLOADS_H
#define ECHO_RUNTIME_DR_OPTIMIZE_UPLOADS_H

#include "runtime/dr/Core.h"
#include "runtime/dr/optimize/Memory.h"

namespace echo::dr {

/// Queues the upload \p E, whose source lies in \p S. True: E.R.Status is the
/// answer. False: it must run as written.
bool queueUpload(Event &E, Served &S);

/// The call \p E is about to run: unless the upload that goes on comes before
/// it whatever happens, it is waited for.
void meetUpload(const Event &E);
/// The call \p E returned \p Status: it may have waited for the upload.
void passUpload(const Event &E, int Status);

/// Waits for the upload that goes on, if the calling thread may call CUDA.
void waitForUpload();

/// \p S was freed. True if an upload still reads it, and this thread cannot
/// wait: it is released when that has ended.
bool releasesLater(Served &S);

/// This process is a child: no upload of its parent goes on here.
void forgetUpload();

/// How many uploads were queued so far.
uint64_t uploadsQueued();

} // namespace echo::dr

#endif
