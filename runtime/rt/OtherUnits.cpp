//===- OtherUnits.cpp - What the other units of a link may do -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a variable per premise, which the link may have replaced, and asks what
// the files of the process show.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/OtherUnits.h"
#include "runtime/rt/LoadedUnits.h"
#include "runtime/rt/Policy.h"

// A definition of OtherUnit.cpp, which the link may add, takes the place of
// such a weak one.
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  extern "C" const unsigned char echort_others_##Id;                           \
  __attribute__((weak)) const unsigned char echort_others_##Id = 0;
#include "runtime/abi/Premises.def"

/// std::get_new_handler of the C++ library, where the process has one.
extern "C" __attribute__((weak)) void (*_ZSt15get_new_handlerv())();

namespace echo::rt {

namespace {
struct Premise {
  uint32_t Flag;
  const unsigned char *Broken;
  const char *Text;
};
} // namespace

static const Premise Premises[] = {
#define ECHO_PREMISE(Id, Bit, Words, Text)                                     \
  {ECHO_RELIES_##Id, &echort_others_##Id, Text},
#include "runtime/abi/Premises.def"
};

/// The premises that may not hold, a mask of ECHO_RELIES_*.
static uint32_t broken() {
  uint32_t Broken = brokenByLoaded();
  for (const Premise &P : Premises)
    if (*P.Broken)
      Broken |= P.Flag;
  if (_ZSt15get_new_handlerv && _ZSt15get_new_handlerv() != nullptr)
    Broken |= ECHO_RELIES_hooked;
  return Broken;
}

bool othersStartThreads() { return broken() & ECHO_RELIES_threads; }

bool othersNeedLateCuda() {
  return broken() & (ECHO_RELIES_process | ECHO_RELIES_late);
}

/// What pairs that merged rely on, as in EchoGroup::flags.
static uint32_t Reliance = 0;

void noteReliance(uint32_t Flags) {
  __atomic_or_fetch(&Reliance, Flags, __ATOMIC_RELAXED);
}

bool reliesOnHeld() {
  return __atomic_load_n(&Reliance, __ATOMIC_RELAXED) >>
             ECHO_GROUP_RELIES_SHIFT &
         ECHO_RELIES_held;
}

const char *brokenPremise(uint32_t Flags) {
  const uint32_t Broken = broken();
  uint32_t Relied = (Flags >> ECHO_GROUP_RELIES_SHIFT) | ECHO_RELIES_wrapped |
                    ECHO_RELIES_hooked;
  if (Broken & ECHO_RELIES_threads) {
    Relied |= ECHO_RELIES_reset | ECHO_RELIES_process | ECHO_RELIES_capture;
    if (!(Flags & ECHO_GROUP_PINNED_HOST))
      Relied |= ECHO_RELIES_heap;
  }
  Relied &= ~ECHO_RELIES_threads;
  for (const Premise &P : Premises) {
    if (!(Relied & Broken & P.Flag))
      continue;
    // There is no other device to select.
    if (P.Flag == ECHO_RELIES_device && hasOneDevice())
      continue;
    return P.Text;
  }
  return nullptr;
}

} // namespace echo::rt
