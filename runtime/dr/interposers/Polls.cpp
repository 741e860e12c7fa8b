//===- Polls.cpp - Names that are asked of again and again ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Polls.h. What is known of a name is one word, so that threads need no
// lock.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Polls.h"
#include "runtime/dr/interposers/NameTable.h"

namespace echo::dr {

namespace {
/// What is known of a name.
struct State {
  uint32_t Round;  ///< of the last question that counted
  uint8_t Process; ///< generation that all this is of
  uint8_t Rounds;
  uint8_t AtOnce; ///< questions in this round
  uint8_t Bits;
};
static_assert(sizeof(State) == sizeof(uint64_t));

enum : uint8_t { Own = 1, Said = 2 };
} // namespace

static NameTable<uint64_t> Names; ///< a State of each
static bool Worked;     ///< atomic: the GPU got work since the last question
static uint32_t Round;  ///< atomic; 0: it has got none yet
static uint8_t Process; ///< generation of this process

void noteGpuWork() {
  // A store of what is there already would cost other processors' caches.
  if (!__atomic_load_n(&Worked, __ATOMIC_RELAXED))
    __atomic_store_n(&Worked, true, __ATOMIC_RELAXED);
}

/// The number of the time between two works of the GPU; 0: before the first.
static uint32_t currentRound() {
  if (__atomic_load_n(&Worked, __ATOMIC_RELAXED) &&
      __atomic_exchange_n(&Worked, false, __ATOMIC_RELAXED))
    return __atomic_add_fetch(&Round, uint32_t(1), __ATOMIC_RELAXED);
  return __atomic_load_n(&Round, __ATOMIC_RELAXED);
}

/// Of a parent's process nothing is known here.
static State stateOf(uint64_t Word) {
  const auto S = __builtin_bit_cast(State, Word);
  return S.Process == Process ? S : State{0, Process, 0, 0, 0};
}

/// Changes the State \p Known by \p Change, which returns its answer.
template <class F> static Poll change(uint64_t &Known, F Change) {
  uint64_t Old = __atomic_load_n(&Known, __ATOMIC_RELAXED);
  while (true) {
    State Now = stateOf(Old);
    const Poll Answer = Change(Now);
    const auto New = __builtin_bit_cast(uint64_t, Now);
    if (New == Old ||
        __atomic_compare_exchange_n(&Known, &Old, New, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return Answer;
  }
}

Poll askedOf(uint64_t Key) {
  const uint32_t Here = currentRound();
  if (!Here)
    return Poll::Once;
  uint64_t *Known = Names.at(Key, /*Enters=*/true);
  if (!Known)
    return Poll::NoRoom;
  return change(*Known, [Here](State &Now) {
    if (Now.Bits)
      return Poll::Once;
    if (Now.Round != Here) {
      Now.Round = Here;
      Now.AtOnce = 0;
      ++Now.Rounds;
    }
    ++Now.AtOnce;
    if (Now.Rounds < PolledRounds && Now.AtOnce < PolledAtOnce)
      return Poll::Once;
    Now.Bits = Said;
    return Poll::Polled;
  });
}

static void setOwn(uint64_t *Known, bool Is) {
  if (Known)
    change(*Known, [Is](State &Now) {
      Now.Bits = static_cast<uint8_t>((Now.Bits & ~Own) | (Is ? Own : 0));
      return Poll::Once;
    });
}

// Without room it is others' as well, as far as is known.
void nameMade(uint64_t Key) { setOwn(Names.at(Key, /*Enters=*/true), true); }

void nameGone(uint64_t Key) { setOwn(Names.at(Key, /*Enters=*/false), false); }

bool isOwnName(uint64_t Key) {
  const uint64_t *Known = Names.at(Key, /*Enters=*/false);
  return Known && stateOf(__atomic_load_n(Known, __ATOMIC_RELAXED)).Bits & Own;
}

void pollsForked() {
  ++Process;
  Round = 0;
  Worked = false;
}

} // namespace echo::dr
