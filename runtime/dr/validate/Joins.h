//===- Joins.h - Which two buffers a plan would make one --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run with a plan makes one block of two buffers where the second one of them
// is allocated, before any copy says that they belong together. Follows the
// allocations and frees of a validated run as optimize/Memory.cpp would, pair
// by pair and thread by thread, since which thread comes first is chance.
// Callers hold the lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_JOINS_H
#define ECHO_RUNTIME_DR_VALIDATE_JOINS_H

#include "runtime/dr/PlanFile.h"
#include "runtime/dr/validate/Pages.h"

#include <stdint.h>

namespace echo::dr {

class Joins {
public:
  enum Side : uint8_t { Host, Device };

  /// A buffer of \p Pair is there, which \p Thread allocated (0: not known).
  /// False: there are more than can be followed, or it is open what another run
  /// joins.
  bool allocated(unsigned Pair, Side Which, uintptr_t Base, uint64_t Thread,
                 bool Zeroed);
  /// \p Thread frees the buffer at \p Base.
  void freed(Side Which, uintptr_t Base, uint64_t Thread);
  /// False: a thread has freed what waited for another thread's next buffer.
  /// That may come before or after that buffer in each run, and decides what it
  /// joins.
  bool isCertain(unsigned Pair) const {
    return !Several[Pair] || !FreedByOther[Pair];
  }
  /// How buffers of the pair came together so far: drplan::joinBit. A run with
  /// the plan joins none in another way.
  uint8_t seen(unsigned Pair) const { return Seen[Pair]; }
  /// The other side, which is in use, of the block that has \p Base as side
  /// \p Which of \p Pair; or 0.
  uintptr_t otherSide(unsigned Pair, Side Which, uintptr_t Base) const;

private:
  struct Block {
    uintptr_t Sides[2]; ///< 0: free
    uint64_t Thread;    ///< that allocated the first side
    uint16_t Pair;
    bool Waits; ///< for its other side
    bool inUse() const { return Sides[Host] || Sides[Device]; }
  };
  Block All[2 * MaxPages] = {};
  unsigned Used = 0; ///< of All, at most

  /// A thread for which nothing of the pair joins any more.
  struct Ended {
    uint64_t Thread;
    uint16_t Pair;
  };
  Ended Off[64] = {};
  unsigned NumOff = 0;
  /// Of a pair: a block was begun; another one, too; a thread has freed what
  /// waited for another one's buffer.
  bool Begun[MaxPlanPairs] = {}, Several[MaxPlanPairs] = {},
       FreedByOther[MaxPlanPairs] = {};

  uint8_t Seen[MaxPlanPairs] = {};

  Block *waiting(unsigned Pair, uint64_t Thread);
  bool isOff(unsigned Pair, uint64_t Thread) const;
};

} // namespace echo::dr

#endif
