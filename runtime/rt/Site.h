//===- Site.h - What was measured where a pair is allocated -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate. Each pair of the source has a site, which compares what the pair
// costs with its backing and without: the time from allocation to allocation
// for merged pairs, the time of copies for pinned ones. A backing that lost is
// not used again; the answer changes only where a pair is allocated, which the
// program cannot see. Nothing here calls CUDA or waits.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_SITE_H
#define ECHO_RUNTIME_RT_SITE_H

#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

/// The fastest of a few samples of one size.
struct Fastest {
  uint64_t Nanoseconds = 0;
  uint32_t Count = 0;
};

struct Site {
  Mutex Lock;
  bool Reported = false; ///< ECHO_VERBOSE said what its first allocation got
  bool Slow[NumBackings] = {}; ///< backings that lost
  bool LessonsRead = false;    ///< those of the profile are among them
  /// Whether the functions that the analysis relied on are the system's.
  enum : uint8_t { NotAsked, AllOfSystem, HasOwn };
  uint8_t Functions = NotAsked;
  // The trial: rounds merged, then rounds split, of one thread and one size.
  bool Decided = false;
  bool Merged = true; ///< the answer of the round that is being measured
  pthread_t Thread = {};
  size_t Bytes = 0;
  uint64_t Last = 0; ///< when the last round began; 0: none did
  Fastest Rounds[2]; ///< split, merged
  // Copies: pageable, pinned.
  size_t CopyBytes = 0;
  Fastest Copies[2];
  // Uploads of pinned memory: rounds from one to the next, as written, queued.
  bool UploadsDecided = false;
  bool UploadQueued = true; ///< the answer of the round that is being measured
  pthread_t UploadThread = {};
  size_t UploadBytes = 0;
  uint64_t LastUpload = 0; ///< when the last round began; 0: none did
  Fastest Uploads[2];
  // Of an assumed pair with ECHO_WATCH, under the lock of Watch.cpp.
  uint32_t Allocations = 0; ///< of pairs, so far
  uint32_t Awaited = 0;     ///< are watched, and had no copy yet
  size_t LargestBuffer = 0;
  bool Differs = false;   ///< never merged any more
  bool Unwatched = false; ///< cannot be watched
};

/// Nanoseconds of a clock that never goes back. Tests set their own.
extern uint64_t (*Clock)();

/// The site of \p Group; null if there is no memory for it.
Site *siteOf(EchoGroup *Group);

/// A pair of \p Bytes is about to be allocated at \p S, and the policy chose
/// \p Kind. False if it should be split this time, or for the rest of the run.
bool gateAllows(Site &S, const EchoGroup &Group, Backing Kind, size_t Bytes);

/// A copy of \p Bytes took \p Nanoseconds.
void noteCopy(Site &S, const EchoGroup &Group, bool Pinned, size_t Bytes,
              uint64_t Nanoseconds);

/// An upload of \p Bytes of pinned memory may be queued. True if it should be,
/// as rounds with such uploads were not seen to be slower than without.
bool queueingPays(Site &S, size_t Bytes);

/// True if copies of \p Bytes of pinned memory were measured often enough.
bool hasMeasuredCopies(Site &S, size_t Bytes);

} // namespace echo::rt

#endif
