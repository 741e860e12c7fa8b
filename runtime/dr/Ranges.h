//===- Ranges.h - Memory in use, by address ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers at or over the threshold, in a B-tree by address: programs may
// hold a hundred thousand. Look-ups share a lock, changes take it alone. Two
// filters before it tell most pointers of smaller buffers from a load or two.
// No lock is held when a function returns, and no memory comes from malloc.
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
    return __builtin_expect(
               __atomic_load_n(&Filter[slotOf(Base)], __ATOMIC_RELAXED) != 0,
               0) &&
           __atomic_load_n(&Finer[finerSlotOf(Base)], __ATOMIC_RELAXED) != 0;
  }
  /// From here on mayHold(\p Base), though there is no range: the caller of it
  /// looks closer.
  void suspect(const void *Base) { count(Base, 1); }
  /// Adds \p R; ranges it overlaps were freed unseen and are dropped.
  void add(const Range &R);
  /// Takes the range that starts at \p Base out.
  bool remove(const void *Base, Range &Removed);
  /// The range that contains \p Pointer.
  bool find(const void *Pointer, Range &Found);
  /// The first range that ends after \p From.
  bool next(uintptr_t From, Range &Found);
  /// Calls \p Each for every range, with the lock held.
  void forEach(void (*Each)(Range &, void *), void *Data);
  /// The same for a caller that holds the lock.
  void forEachLocked(void (*Each)(Range &, void *), void *Data);
  /// Takes out the mappings that lie in [\p Base, \p Base + \p Bytes), even in
  /// part; true if there was any. What malloc gave stays malloc's to free.
  bool removeMappings(const void *Base, uint64_t Bytes);
  void clear();
  void lock() { pthread_rwlock_wrlock(&Lock); }
  void unlock() { pthread_rwlock_unlock(&Lock); }
  /// In the child of a fork that was made with the lock held: those that waited
  /// for it are not there, and must not get it.
  void unlockInChild() { Lock = PTHREAD_RWLOCK_INITIALIZER; }

private:
  struct Node;
  struct Leaf;
  struct Inner;
  struct Path;

  static uint64_t hashOf(const void *Base) {
    return reinterpret_cast<uintptr_t>(Base) * 0x9e3779b97f4a7c15ull;
  }
  static size_t slotOf(const void *Base) { return hashOf(Base) >> 52; }
  static size_t finerSlotOf(const void *Base) { return hashOf(Base) >> 44; }
  void count(const void *Base, int More) {
    __atomic_fetch_add(&Filter[slotOf(Base)], static_cast<uint16_t>(More),
                       __ATOMIC_RELAXED);
    __atomic_fetch_add(&Finer[finerSlotOf(Base)], static_cast<uint16_t>(More),
                       __ATOMIC_RELAXED);
  }

  // All with the lock held.
  bool freshPiece();
  template <class T> T *make(Node *&Free);
  void drop(Node *N);
  bool split(Inner *Parent, unsigned At);
  bool growRoot();
  Leaf *leafOf(uintptr_t Address, Path *Way) const;
  Range *atOrBefore(uintptr_t Address) const;
  Range *firstBehind(uintptr_t From) const;
  void insert(const Range &R);
  bool erase(uintptr_t Base, Range *Removed = nullptr);
  bool addQuickly(const Range &R);
  void removeEmpty(Leaf *L, const Path &Way);

  pthread_rwlock_t Lock = PTHREAD_RWLOCK_INITIALIZER;
  Node *Root = nullptr;
  Leaf *First = nullptr;
  Node *FreeLeaves = nullptr, *FreeInner = nullptr;
  bool HasPiece = false;
  char *Fresh = nullptr; ///< of a piece that nodes are cut from
  size_t FreshBytes = 0;
  uint16_t Filter[4096] = {};   ///< ranges by the hash of their start; atomic
  uint16_t Finer[1 << 20] = {}; ///< the same; touched where Filter is not 0
};

/// The ranges of the host and of devices.
extern RangeTable HostRanges, DeviceRanges;

} // namespace echo::dr

#endif
