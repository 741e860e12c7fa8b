//===- WatchSchedule.cpp - Which windows are watched ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/WatchSchedule.h"

#include "runtime/dr/optimize/PlanMark.h"
#include "runtime/dr/optimize/WatchText.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/dr/validate/Faults.h"

#include <stdlib.h>

namespace echo::dr {

static unsigned Every;   ///< 0: no window is watched. Constant after the start
static uint64_t Windows; ///< that were watched in full; atomic

bool watchesAny() { return Every != 0; }

uint64_t windowsWatched() {
  return __atomic_load_n(&Windows, __ATOMIC_RELAXED);
}

/// A process that goes another way than those that were validated mostly does
/// so from its first windows on: all of them are watched, later ones less and
/// less often.
static constexpr uint64_t AllOfFirst = 4;

static uint64_t gapAfter(const Pair &P) {
  const uint64_t Gap = P.Windows < AllOfFirst ? 1 : P.Windows / 2;
  return Gap < Every ? Gap : Every;
}

bool watchesEach(const Pair &P) { return gapAfter(P) == 1; }

void noteWatched(Pair &P) {
  __atomic_add_fetch(&Windows, 1, __ATOMIC_RELAXED);
  P.NextWatched = P.Windows + gapAfter(P);
}

bool leavesPagesAlone() {
  constexpr int Pageable = 88; // CUdevice_attribute
  static int Answer;           // 0: not asked yet, 1: no, 2: yes; atomic
  const int Known = __atomic_load_n(&Answer, __ATOMIC_ACQUIRE);
  if (Known)
    return Known == 2;
  const DeviceOps *Ops = opsInUse();
  int Device = 0, Reaches = 1;
  if (!Ops || Ops->currentDevice(&Device) ||
      Ops->attribute(&Reaches, Pageable, Device))
    Reaches = 1;
  if (__atomic_exchange_n(&Answer, Reaches ? 1 : 2, __ATOMIC_ACQ_REL) == 0 &&
      Reaches) {
    say("nothing is watched: the device reaches the host's memory itself, and "
        "would fail where it is closed");
    noteMappedUnwatched();
  }
  return !Reaches;
}

void noteUnsafe(Pair &P, const Access &A) {
  if (__atomic_exchange_n(&P.Unsafe, true, __ATOMIC_ACQ_REL))
    return;
  sayWatched(*P.Plan, A, P.Windows <= AllOfFirst && Every ? 1 : Every);
  turnOff(P, "it was used in a watched window");
}

/// One window in so many, where the user says nothing.
static constexpr unsigned UsualEvery = 64;

static unsigned readEvery(bool &Asked) {
  const char *Value = getenv("ECHO_DR_WATCH");
  Asked = Value && *Value;
  if (!Asked)
    return UsualEvery;
  char *End = nullptr;
  const unsigned long N = strtoul(Value, &End, 10);
  if (*End || N > 1000000) {
    say("ECHO_DR_WATCH=%.32s is not a number from 0 to 1000000: %u is used",
        Value, UsualEvery);
    return UsualEvery;
  }
  return static_cast<unsigned>(N);
}

void startWatch(const PlanFile &Plan) {
  bool Asked = false;
  const unsigned N = readEvery(Asked);
  if (!N)
    return;
  if (!sayUnwatched(Plan)) {
    if (Asked)
      say("nothing is watched: the plan has no pair that can be");
    return;
  }
  if (!*rememberedPlanFile() || !installFaultHandler())
    return say("nothing is watched: no handler can be installed");
  Every = N;
}

} // namespace echo::dr
