//===- RealCopy.cpp - Around a linking copy that runs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/RealCopy.h"
#include "runtime/rt/Block.h"
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Site.h"
#include "runtime/rt/Upload.h"
#include "runtime/rt/Waits.h"

namespace echo::rt {

/// The linking copy that this thread makes now.
static __thread struct {
  uint64_t Start;
  uint64_t Uploads; ///< were queued before it
  EchoGroup *Group;
  void *Host;
  size_t Bytes;
  bool Pinned;
} CopyNow;

void beforeRealCopy(EchoGroup &Group, void *Host, size_t Bytes) {
  CopyNow.Start = 0; // of one that an exception ended
  Block *B = pinnedSplitAt(Host);
  if (!B)
    return;
  CopyNow.Group = &Group;
  CopyNow.Host = Host;
  CopyNow.Bytes = Bytes;
  CopyNow.Pinned = beforeCopy(*B, Bytes);
  CopyNow.Uploads = uploadsQueued();
  CopyNow.Start = Clock();
}

void afterRealCopy(bool Waited) {
  if (!CopyNow.Start)
    return;
  uint64_t Took = Clock() - CopyNow.Start;
  CopyNow.Start = 0;
  // It followed the legacy stream's work, unless it failed or was empty.
  if (Waited && CopyNow.Bytes && CopyNow.Uploads &&
      cudaPeekAtLastError() == CudaSuccess)
    noteUploadsEnded(CopyNow.Uploads);
  EchoGroup &Group = *CopyNow.Group;
  if (Site *S = siteOf(&Group); S && pinnedSplitAt(CopyNow.Host))
    noteCopy(*S, Group, CopyNow.Pinned, CopyNow.Bytes, Took);
}

} // namespace echo::rt
