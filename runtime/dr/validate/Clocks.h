//===- Clocks.h - Which work of the GPU has certainly ended -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number for each piece of work, and for each stream what it is known to
// follow: the legacy stream's order with blocking streams, and events. A wait
// of the program ends what its stream follows. It must never call work ended
// that may still run: what it cannot follow (more streams or events than it has
// room for) ends with a wait for the device only. Callers hold the lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_CLOCKS_H
#define ECHO_RUNTIME_DR_VALIDATE_CLOCKS_H

#include <stdint.h>

namespace echo::dr {

class Clocks {
public:
  static constexpr unsigned MaxStreams = 64, MaxEvents = 256;

  /// Work that a wait has seen to end, taken where the wait begins: other
  /// threads may add work while it lasts.
  struct Covered {
    uint64_t Upto[MaxStreams];
    uint64_t Unfollowed;
  };

  /// \p Stream is new, whatever had its handle before.
  void create(uint64_t Stream, bool NonBlocking);
  /// \p Stream has no handle any more; what is in it runs on.
  void destroy(uint64_t Stream);
  /// \p Stream, new or not, waits for the legacy stream and is waited for.
  void followLegacy(uint64_t Stream);
  /// Work is put into \p Stream (0 and 1: the legacy default stream). \p
  /// Orders: it surely has its place in the order of streams.
  void work(uint64_t Stream, bool Orders = true);
  /// Work that uses nothing that counts: it has its place in the order of
  /// streams, but nobody need know when it ends.
  void pass(uint64_t Stream);
  void record(uint64_t Event, uint64_t Stream);
  void wait(uint64_t Stream, uint64_t Event);
  /// The next event of this handle is another one.
  void forget(uint64_t Event);

  void coverDevice(Covered &C) const;
  void coverStream(uint64_t Stream, Covered &C) const;
  void coverEvent(uint64_t Event, Covered &C) const;
  void ended(const Covered &C);

  /// True if what \p Event follows has ended.
  bool hasEnded(uint64_t Event) const;
  /// True if all work so far has ended.
  bool quiescent() const;
  /// True if all work so far will have ended with what \p C covers.
  bool quiescentAfter(const Covered &C) const;
  /// Streams with work that may not have ended and that no copy in the legacy
  /// stream waits for, in \p Handles: how many, or -1 where one has no handle.
  int beside(uint64_t (&Handles)[MaxStreams]) const;
  /// The number of the last work.
  uint64_t last() const { return Last; }
  /// The device was reset: nothing runs.
  void clear();

private:
  struct Stream {
    uint64_t Handle = 0; ///< 0: it was destroyed
    bool Used = false, NonBlocking = false;
    uint64_t Last = 0;                 ///< its last work
    uint64_t Follows[MaxStreams] = {}; ///< last work of each that comes before
  };
  struct Event {
    uint64_t Handle = 0;
    bool Used = false;
    uint64_t Follows[MaxStreams] = {};
  };

  int find(uint64_t Handle) const;
  int findOrAdd(uint64_t Handle);
  void order(int I);
  const Event *findEvent(uint64_t Handle) const;
  static void join(uint64_t *Into, const uint64_t *From);

  uint64_t Last = 0;          ///< number of the last work of all
  Stream Streams[MaxStreams]; ///< the first is the legacy default stream
  uint64_t Done[MaxStreams] = {};
  Event Events[MaxEvents];
  unsigned Oldest = 0;                         ///< event to forget next
  uint64_t Unfollowed = 0, UnfollowedDone = 0; ///< of streams without a place
};

} // namespace echo::dr

#endif
