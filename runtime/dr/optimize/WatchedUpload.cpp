//===- WatchedUpload.cpp - What the host writes beside an upload ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host buffer's block has its pages for itself (makePinned), so that no
// write of other memory is met. It stays known until it goes: a thread that met
// closed pages may take up its fault when they are open again.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/WatchedUpload.h"
#include "runtime/dr/optimize/Watch.h"
#include "runtime/dr/optimize/WatchSchedule.h"
#include "runtime/dr/validate/Faults.h"

namespace echo::dr {

bool watchesUpload(Pair &P) {
  if (!watchesAny() || !leavesPagesAlone())
    return false;
  return ++P.Windows >= P.NextWatched;
}

bool closeToWrites(Served &S) {
  if (!S.HasSlot && !enterPages(*S.Block, S.WriteSlot))
    return false;
  S.HasSlot = true;
  return handlesFaults() && Watched.set(S.WriteSlot, Gate::Reads);
}

void endWatchedUpload(Served &S) {
  Watched.set(S.WriteSlot, Gate::Open);
  Access A = Watched.takeAccess(S.WriteSlot);
  noteWatched(*S.Of);
  if (A.What == Trap::None)
    return;
  A.Apart = true;
  noteUnsafe(*S.Of, A);
}

void openForChild(const Served &S) {
  Watched.forked();
  if (S.HasSlot)
    Watched.set(S.WriteSlot, Gate::Open);
}

void forgetWrites(Served &S) {
  if (S.HasSlot)
    forgetPages(S.WriteSlot);
  S.HasSlot = false;
}

} // namespace echo::dr
