//===- Clock.h - What time it is --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reading of the system's clocks for all parts of the library. It never
// allocates or waits: signal handlers may ask.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_CLOCK_H
#define ECHO_RUNTIME_DR_CLOCK_H

#include <stdint.h>
#include <time.h>

namespace echo::dr {

/// The time of \p Clock, in nanoseconds.
inline uint64_t clockNs(clockid_t Clock = CLOCK_MONOTONIC) {
  timespec Now;
  clock_gettime(Clock, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(Now.tv_nsec);
}

} // namespace echo::dr

#endif
