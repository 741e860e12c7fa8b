//===- PlannedPairs.cpp - The pairs of the plan at run time ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/PlannedPairs.h"

namespace echo::dr {

static Pair Pairs[MaxPlanPairs];
static unsigned NumPairs;

bool takePairs(const PlanFile &Plan) {
  for (unsigned I = 0; I != Plan.NumPairs; ++I) {
    const PlanPair &P = Plan.Pairs[I];
    const bool Usable = !P.Disabled && P.HostSite &&
                        (P.Chosen == drplan::Choice::PinnedSplit ||
                         (drplan::restsOnValidation(P.Chosen) && P.Validated &&
                          P.DeviceSite && P.Bytes == P.DeviceBytes));
    if (Usable)
      Pairs[NumPairs++].Plan = &P;
  }
  return NumPairs != 0;
}

bool isOfPlannedSize(const TraceRecord &R) {
  const auto Kind = static_cast<Record>(R.Kind);
  for (unsigned I = 0; I != NumPairs; ++I) {
    const PlanPair &P = *Pairs[I].Plan;
    const bool Rests = drplan::restsOnValidation(P.Chosen);
    if (Kind == Record::HostAlloc ? P.Bytes == R.Bytes
        : Kind == Record::Copy    ? Rests
                                  : Rests && P.DeviceBytes == R.Bytes)
      return true;
  }
  return false;
}

bool isPlannedSize(uint64_t Bytes) {
  for (unsigned I = 0; I != NumPairs; ++I)
    if (Pairs[I].Plan->Bytes == Bytes)
      return true;
  return false;
}

Pair *pairOf(const TraceRecord &R, Side Which) {
  for (unsigned I = 0; I != NumPairs; ++I) {
    const PlanPair &P = *Pairs[I].Plan;
    const bool Here = Which == HostSide
                          ? P.HostSite == R.Site && P.Bytes == R.Bytes
                          : P.DeviceSite == R.Site &&
                                P.DeviceBytes == R.Bytes &&
                                drplan::merges(P.Chosen);
    if (Here && !__atomic_load_n(&Pairs[I].Off, __ATOMIC_ACQUIRE))
      return &Pairs[I];
  }
  return nullptr;
}

void turnOffMerged(const char *Why) {
  for (unsigned I = 0; I != NumPairs; ++I)
    if (drplan::merges(Pairs[I].Plan->Chosen))
      turnOff(Pairs[I], Why);
}

} // namespace echo::dr
