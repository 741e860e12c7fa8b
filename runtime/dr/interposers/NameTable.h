//===- NameTable.h - What is known of names, by their hash ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table that names are entered into, once each, and never leave. Any number
// of threads and signal handlers may use it at once; nothing here waits,
// allocates or asks the system. Where a name finds no room nothing is known of
// it: who asks must not take that for a name that is new.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_NAMETABLE_H
#define ECHO_RUNTIME_DR_INTERPOSERS_NAMETABLE_H

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

/// \p T must be changed by atomic operations alone.
template <class T> class NameTable {
  struct Slot {
    uint64_t Key; ///< atomic
    T Known;
  };
  static constexpr size_t Slots = 32768, MostTries = 64;
  Slot Table[Slots];

public:
  /// What is known of the name whose hash is \p Key. Null: there is no room, or
  /// it is not there and shall not be, as \p Enters says.
  T *at(uint64_t Key, bool Enters) {
    Key = Key ? Key : 1;
    for (size_t I = 0; I != MostTries; ++I) {
      Slot &S = Table[(Key + I) % Slots];
      uint64_t Old = __atomic_load_n(&S.Key, __ATOMIC_RELAXED);
      if (!Old && !Enters)
        return nullptr;
      if (Old == Key || (!Old && (__atomic_compare_exchange_n(
                                      &S.Key, &Old, Key, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
                                  Old == Key)))
        return &S.Known;
    }
    return nullptr;
  }
};

} // namespace echo::dr

#endif
