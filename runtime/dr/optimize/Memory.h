//===- Memory.h - Buffers that the plan changes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer of a planned pair lies in a block of echort's (runtime/rt/Block.h):
// of its own for the host side alone (pinned-split), or shared by both sides.
// Nothing here holds a lock while CUDA is called.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_MEMORY_H
#define ECHO_RUNTIME_DR_OPTIMIZE_MEMORY_H

#include "runtime/dr/Core.h"
#include "runtime/dr/PlanFile.h"
#include "runtime/rt/Block.h"

namespace echo::dr {

/// The interposer that echort's code asks; the first one given stays.
void useOps(const DeviceOps &Ops);
const DeviceOps *opsInUse();

enum Side : uint8_t { HostSide = 1, DeviceSide = 2 };

/// No lock of echort's or of Memory.cpp is held by a thread that a child of a
/// fork lacks. Once.
void armForkHandlers();

/// A planned pair at run time.
struct Pair {
  const PlanPair *Plan = nullptr;
  bool Off = false; ///< it runs as written from now on; atomic
  /// Have one side only; at most one of each thread. Lock held
  struct Served *Waiting = nullptr;
  bool Unsafe = false; ///< it was seen to be, and that was said; atomic
  uint64_t Thread = 0; ///< that allocates its buffers; 0: none yet. Lock held
  unsigned Queued = 0; ///< the last so many uploads did not wait; atomic
  uint64_t Windows = 0, NextWatched = 0; ///< of GPU use; Watch.cpp's lock held
};

/// What a served range belongs to (Range::Owner).
struct Served {
  rt::Block *Block = nullptr;
  /// What the GPU calls the block, if it is shared; else where it is uploaded.
  void *OnDevice = nullptr;
  char *HostView = nullptr; ///< where the host sees it, if it is mapped twice
  struct Watch *Watched = nullptr; ///< if it is mapped twice
  Pair *Of = nullptr;
  uint8_t Sides = 0;      ///< those in use; of a shared block. Lock held
  bool Shared = false;    ///< host and device buffer in one
  bool NeverPin = false;  ///< the program would see it; atomic
  bool HasSlot = false;   ///< WriteSlot is one
  unsigned WriteSlot = 0; ///< in Watched, of one whose uploads are watched
  bool Used = false;      ///< its pages are of no use to another buffer
  bool Leaving = false;   ///< a thread unpins it. Pinning's lock held
  unsigned Users = 0;     ///< copies under way. Pinning's lock held
  unsigned Pinning = 0;   ///< those that may pin it now. Pinning's lock held
  unsigned Copies = 0;    ///< so far. Pinning's lock held
  unsigned NextLook = 0;  ///< the copy at which pages are counted again
  /// What the program registered while copies were under way: it stays pinned
  /// for that, and is the program's. Pinning's lock held.
  uintptr_t Registered = 0;
  uint64_t RegisteredBytes = 0;
  unsigned RegisteredFlags = 0;
  uint64_t Thread = 0; ///< that allocated the first side; 0: not known
  Served *NextWaiting = nullptr; ///< of Pair::Waiting. Lock held

  char *onHost() const { return HostView ? HostView : Block->Base; }
};

/// The block of a host buffer of \p P's, to be pinned; null on failure.
Served *makePinned(Pair &P, size_t Bytes, size_t Align, bool Zeroed);

/// The shared block for \p Which side of \p P, joined or new; null where the
/// side must be allocated as written. For the device side CUDA is called.
Served *shareBlock(Pair &P, Side Which, size_t Align, bool Zeroed);

/// True if the program has both buffers of \p S, which is shared, now.
bool hasBothSides(const Served &S);

/// The side \p Which of \p S was freed. \p MayCall: CUDA may be called now.
void releaseSide(Served *S, Side Which, bool MayCall);

/// Before and after a copy of \p Bytes that touches \p S, which is not shared;
/// \p Fills: it writes them. True if the memory is, or may become, pinned
/// before the copy begins: an asynchronous one must be waited for.
bool beginUse(Served &S, size_t Bytes, bool Fills);
void endUse(Served &S);

/// \p S is, or may become, pinned, and no call of the program's says so.
bool isPinnedUnseen(const Served &S);

/// \p S must be ordinary memory from now on. It is, when this returns, unless
/// copies of it are under way: then it is when the last of them has ended.
void unpinForGood(Served &S);

/// The device is about to be reset, which unpins all memory: where CUDA is
/// asked to later, it answers by an error, which would take the place of one
/// that is pending. So all is unpinned now.
void unpinBeforeReset();

/// How the program must see \p Bytes at \p Address of \p S.
Seen seenAs(const Served &S, uintptr_t Address, uint64_t Bytes = 1);

/// The program registers the range, which lies in \p S, or unregisters what
/// starts there. False: its own call must be made.
bool registerUnseen(Served &S, uintptr_t Address, uint64_t Bytes,
                    unsigned Flags);
bool unregisterUnseen(Served &S, uintptr_t Address);

/// Gives back blocks that could not be when they were freed.
void releaseDelayed();

/// \p P runs as written from now on, for the reason \p Why.
void turnOff(Pair &P, const char *Why);

} // namespace echo::dr

#endif
