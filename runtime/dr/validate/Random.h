//===- Random.h - Numbers that follow no rhythm of the program --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What validation does now and then must not fall in step with the program: a
// fixed sequence may leave out each hundredth round for ever. The numbers are
// others in each run. One instance is used by one thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_RANDOM_H
#define ECHO_RUNTIME_DR_VALIDATE_RANDOM_H

#include "runtime/dr/Clock.h"

#include <stdint.h>

namespace echo::dr {

/// Marsaglia's xorshift generator of 64 bits, begun by the clock.
class Random {
public:
  uint64_t below(uint64_t Bound) {
    if (!State)
      State = clockNs() * 0x9e3779b97f4a7c15u | 1;
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return State % Bound;
  }

private:
  uint64_t State = 0;
};

/// A number below \p Bound by chance, for any thread.
inline uint64_t below(uint64_t Bound) {
  static __thread Random Own __attribute__((tls_model("initial-exec")));
  return Own.below(Bound);
}

/// Milliseconds by chance: more than many frames take, less than others do.
inline uint64_t someMilliseconds() {
  constexpr uint64_t Milliseconds[] = {1, 4, 16, 40};
  return Milliseconds[below(4)];
}

} // namespace echo::dr

#endif
