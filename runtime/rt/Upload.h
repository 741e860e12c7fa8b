//===- Upload.h - Uploads that go on after their return --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A synchronous upload of a pinned host buffer of which the analysis proved
// that nobody can tell when it ends is queued, so that the program's next calls
// run beside it. What is queued is counted, and the memory that an upload may
// still read is given to nobody before it has ended.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_UPLOAD_H
#define ECHO_RUNTIME_RT_UPLOAD_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// Queues an upload of \p bytes bytes out of the host buffer at \p host, where
/// that is pinned and no work is in flight (ECHO_COPY_MAY_QUEUE). Returns 1
/// plus the cudaError_t of the call, or 0: copy as written.
int32_t queueUpload(EchoGroup *group, void *host, void *dst, const void *src,
                    size_t bytes);

/// How many uploads were queued so far, by all threads.
uint64_t uploadsQueued();

/// Those that \p Count counted have ended.
void noteUploadsEnded(uint64_t Count);

/// True if the upload that was counted as \p Number is known to have ended.
bool uploadHasEnded(uint64_t Number);

} // namespace echo::rt

#endif
