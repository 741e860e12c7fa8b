//===- RulesInline.h - What the files of the rules share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over buffers and over the pairs that a buffer may belong to.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_RULESINLINE_H
#define ECHO_RUNTIME_DR_VALIDATE_RULESINLINE_H

#include "runtime/dr/validate/Rules.h"

namespace echo::dr {

/// An address of an event.
inline void *at(uint64_t Word) {
  return reinterpret_cast<void *>(Word); // NOLINT(performance-no-int-to-ptr)
}

/// True if the two buffers of \p P could become one.
inline bool isCandidate(const PlanPair &P) {
  return !P.Disabled && P.HostSite && P.DeviceSite && P.Bytes &&
         P.Bytes == P.DeviceBytes;
}

/// Whether an event of this kind is a look at the GPU while it works, whoever
/// makes it.
bool mayPoll(const Event &E);

/// Calls \p Each(Pair) for the candidates that the buffer may belong to.
template <class F> void Rules::eachPair(unsigned Slot, F Each) {
  const Buffer &B = Buffers[Slot];
  for (unsigned I = 0; I != Plan->NumPairs; ++I) {
    const PlanPair &P = Plan->Pairs[I];
    if (isCandidate(P) && P.HostSite == B.Site &&
        P.Bytes == Watched.bytes(Slot) &&
        (!B.DeviceSite || P.DeviceSite == B.DeviceSite))
      Each(I);
  }
}

/// Calls \p Each(Slot) for every live buffer that has a pair left.
template <class F> void Rules::eachBuffer(F Each) {
  for (unsigned I = 0; I != Watched.used(); ++I) {
    if (!Watched.live(I))
      continue;
    bool Left = false;
    eachPair(I, [&](unsigned P) { Left |= Verdicts[P].What == Trap::None; });
    if (Left)
      Each(I);
  }
}

} // namespace echo::dr

#endif
