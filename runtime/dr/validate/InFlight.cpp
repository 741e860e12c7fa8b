//===- InFlight.cpp - Whether the GPU may still be at work ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of streams, as clocks take them. What a wait covers is taken where it
// begins: other threads may add work while it lasts.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/InFlight.h"

namespace echo::dr {

/// What the wait that this thread is in will have ended.
static __thread Clocks::Covered Waited;

/// Each thread has a per-thread default stream of its own: a number that no
/// other thread ever has, and no handle is.
static uint64_t followed(uint64_t Stream) {
  static __thread uint64_t Mine;
  static uint64_t Last; // atomic
  if (Stream != 2)
    return Stream;
  if (!Mine)
    Mine = __atomic_add_fetch(&Last, 1, __ATOMIC_RELAXED) << 3 | uint64_t(1)
                                                                     << 63;
  return Mine;
}

/// Whether a copy or a set uses device memory that counts. Unlike a kernel it
/// names all that it uses, and what is in no range that is known is no buffer
/// of a pair's.
static bool usesBuffer(const Event &E) {
  Range Found;
  const auto Known = [&](uint64_t Address) {
    return findDevice(reinterpret_cast<void *>(Address), Found); // NOLINT
  };
  return Known(E.R.A) ||
         (static_cast<Record>(E.R.Kind) == Record::Copy && Known(E.R.B));
}

void InFlight::before(const Event &E) {
  if (isEmpty(E.R))
    return;
  const uint64_t Stream = followed(E.R.Stream);
  if (E.R.Stream == 2)
    Work.followLegacy(Stream);
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::Copy:
    // A copy of pageable memory to the device waits for what is before it, one
    // from the device for itself, too.
    if ((E.R.Flags & CopyDirection) == CopyH2D)
      Work.coverStream(Stream, Waited);
    usesBuffer(E) ? Work.work(Stream) : Work.pass(Stream);
    if ((E.R.Flags & CopyDirection) == CopyD2H)
      Work.coverStream(Stream, Waited);
    break;
  // One that fails orders its stream after nothing: see after().
  case Record::Set:
    if (usesBuffer(E))
      Work.work(Stream, /*Orders=*/false);
    break;
  case Record::Launch:
    Work.work(Stream, /*Orders=*/false);
    break;
  case Record::SyncDevice:
    Work.coverDevice(Waited);
    break;
  case Record::SyncStream:
    Work.coverStream(Stream, Waited);
    break;
  case Record::SyncEvent:
    Work.coverEvent(E.R.A, Waited);
    break;
  case Record::QueryDone:
    if (E.R.A)
      Work.coverEvent(E.R.A, Waited);
    else
      Work.coverStream(Stream, Waited);
    break;
  // From here on another thread may be given the handle.
  case Record::StreamDestroy:
    Work.destroy(E.R.Stream);
    break;
  case Record::EventDestroy:
    Work.forget(E.R.A);
    break;
  default:
    break;
  }
}

uint64_t InFlight::followsAll() const {
  return Work.quiescentAfter(Waited) ? Work.last() : 0;
}

bool InFlight::after(const Event &E, int Status) {
  if (Status || isEmpty(E.R))
    return false;
  const uint64_t Stream = followed(E.R.Stream);
  const uint8_t Direction = E.R.Flags & CopyDirection;
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::Copy:
    if ((E.R.Flags & CopyAsync) ||
        (Direction != CopyH2D && Direction != CopyD2H))
      return false;
    Work.ended(Waited);
    return true;
  case Record::Set:
  case Record::Launch:
    Work.pass(Stream);
    return false;
  case Record::SyncDevice:
  case Record::SyncStream:
  case Record::SyncEvent:
  case Record::QueryDone:
    Work.ended(Waited);
    return true;
  case Record::EventRecord:
    Work.record(E.R.A, Stream);
    return false;
  case Record::StreamWait:
    Work.wait(Stream, E.R.A);
    return false;
  case Record::StreamCreate:
    Work.create(E.R.Stream, E.R.Flags & 1);
    return false;
  case Record::Reset:
    Work.clear();
    return false;
  default:
    return false;
  }
}

} // namespace echo::dr
