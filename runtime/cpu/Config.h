//===- Config.h - What the environment asks of the device ----- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how the device behaves from the ECHO_CPU_* variables, read once at
// the first real use. A value that it does not understand ends the program with
// a message; it must never be taken for the default.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_CONFIG_H
#define ECHO_RUNTIME_CPU_CONFIG_H

#include <cstddef>
#include <cstdint>

namespace echo::cpu {

enum class Policy { Eager, Lazy, Random };

struct Config {
  Policy Sched = Policy::Eager;
  uint64_t Seed = 0;
  unsigned Workers = 1;
  size_t MemoryBytes = 0; ///< limit for device memory
  size_t StackBytes = 64 << 10;
  bool Poison = false;          ///< of fresh device memory
  bool PoisonDownloads = false; ///< from a device that failed
  /// What CUDA says only may wait does, for ThreadSanitizer.
  bool Lenient = false;
};

/// Reads the environment; sets attributes too. Ends the program on bad input.
Config readConfig();

/// Prints "echo-cpu: error: ..." and ends the program with status 1.
[[noreturn]] void configError(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

} // namespace echo::cpu

#endif
