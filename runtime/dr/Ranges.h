//===- Ranges.h - Memory in use, by address ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sorted table of the buffers at or over the threshold. Programs hold few of
// them, so one lock and a binary search do; a filter in front tells most
// pointers of smaller buffers from a load and a comparison. No lock is held
// when a function returns, and none of the table's memory comes from malloc.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_RANGES_H
#define ECHO_RUNTIME_DR_RANGES_H

#include "runtime/dr/Core.h"

#include <pthread.h>

namespace echo::dr {

class RangeTable {
public:
  /// False: \p Base certainly is not the start of a range. Takes no lock.
  bool mayHold(const void *Base) const {
    return __atomic_load_n(&Filter[slotOf(Base)], __ATOMIC_RELAXED) != 0;
  }
  /// From here on mayHold(\p Base), though there is no range: the caller of it
  /// looks closer.
  void suspect(const void *Base) {
    __atomic_fetch_add(&Filter[slotOf(Base)], uint16_t(1), __ATOMIC_RELAXED);
  }
  /// Adds \p R; ranges it overlaps were freed unseen and are dropped.
  void add(const Range &R);
  /// Takes the range that starts at \p Base out.
  bool remove(const void *Base, Range &Removed);
  /// The range that contains \p Pointer.
  bool find(const void *Pointer, Range &Found);
  /// Calls \p Each for every range, with the lock held.
  void forEach(void (*Each)(Range &, void *), void *Data);
  /// The same for a caller that holds the lock.
  void forEachLocked(void (*Each)(Range &, void *), void *Data);
  /// Takes out the mappings that lie in [\p Base, \p Base + \p Bytes), even in
  /// part; true if there was any. What malloc gave stays malloc's to free.
  bool removeMappings(const void *Base, uint64_t Bytes);
  void clear();
  void lock() { pthread_mutex_lock(&Lock); }
  void unlock() { pthread_mutex_unlock(&Lock); }

private:
  static size_t slotOf(const void *Base) {
    return (reinterpret_cast<uintptr_t>(Base) * 0x9e3779b97f4a7c15ull) >> 52;
  }
  size_t after(uintptr_t Address) const; ///< first range that starts behind
  void erase(size_t From, size_t To);

  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  Range *Sorted = nullptr;
  size_t Count = 0, Room = 0;
  uint16_t Filter[4096] = {}; ///< ranges by the hash of their start; atomic
};

/// The ranges of the host and of devices.
extern RangeTable HostRanges, DeviceRanges;

} // namespace echo::dr

#endif
