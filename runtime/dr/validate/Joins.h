//===- Joins.h - Which two buffers a plan would make one --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run with a plan makes one block of two buffers where the second one of them
// is allocated, before any copy says that they belong together. Follows the
// allocations and frees of a validated run as optimize/Memory.cpp would, pair
// by pair. Callers hold the lock.
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

  /// A buffer of \p Pair is there, which \p Thread allocated. False: there are
  /// more than can be followed.
  bool allocated(unsigned Pair, Side Which, uintptr_t Base, uint16_t Thread,
                 bool Zeroed);
  /// The buffer at \p Base goes.
  void freed(Side Which, uintptr_t Base);
  /// The other side, which is in use, of the block that has \p Base as side
  /// \p Which of \p Pair; or 0.
  uintptr_t otherSide(unsigned Pair, Side Which, uintptr_t Base) const;

private:
  struct Block {
    uintptr_t Sides[2]; ///< 0: free
    uint16_t Pair;
    uint16_t Thread;
    bool inUse() const { return Sides[Host] || Sides[Device]; }
  };
  Block All[2 * MaxPages] = {};
  unsigned Used = 0;                   ///< of All, at most
  unsigned Waiting[MaxPlanPairs] = {}; ///< number plus 1 in All; 0: none
  bool Off[MaxPlanPairs] = {};         ///< nothing joins any more
};

} // namespace echo::dr

#endif
