//===- Account.cpp - What merging saved -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxed counters and one line at exit. The counters of a child process start
// at zero, and a child that merged nothing prints nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Account.h"

#include <stdio.h>
#include <stdlib.h>

namespace echo::rt {

static struct {
  uint64_t Pairs[NumBackings];
  uint64_t Copies;
  uint64_t Bytes;
  uint64_t Waits;
  uint64_t Assumed; ///< among the pairs that are not in pinned-split
  uint64_t Watched;
  uint64_t PinnedBytes; ///< copied from or to what echort pinned
} Counts;
static pthread_once_t ArmOnce = PTHREAD_ONCE_INIT;

static void add(uint64_t &Counter, uint64_t N) {
  __atomic_fetch_add(&Counter, N, __ATOMIC_RELAXED);
}
static uint64_t get(const uint64_t &Counter) {
  return __atomic_load_n(&Counter, __ATOMIC_RELAXED);
}

void countPair(Backing Kind, bool Assumed) {
  add(Counts.Pairs[static_cast<int>(Kind)], 1);
  if (Assumed && Kind != Backing::PinnedSplit)
    add(Counts.Assumed, 1);
}
void countWatched() { add(Counts.Watched, 1); }
void countCopy(size_t Bytes) {
  add(Counts.Copies, 1);
  add(Counts.Bytes, Bytes);
}
void countWait() { add(Counts.Waits, 1); }
void countPinned(size_t Bytes) { add(Counts.PinnedBytes, Bytes); }

void resetAccount() { Counts = {}; }

/// Pairs in pinned-split are not merged: they are told of apart.
static constexpr unsigned Unmerged =
    static_cast<unsigned>(Backing::PinnedSplit);

static void printAccount() {
  uint64_t Pairs = 0, Apart = get(Counts.Pairs[Unmerged]);
  unsigned Kinds = 0;
  for (unsigned I = 0; I != Unmerged; ++I) {
    Pairs += get(Counts.Pairs[I]);
    Kinds += get(Counts.Pairs[I]) != 0;
  }
  if (forkEra() && !Pairs && !Apart && !get(Counts.Copies))
    return;
  char By[128] = "";
  size_t Used = 0;
  for (unsigned I = 0; I != Unmerged; ++I) {
    uint64_t N = get(Counts.Pairs[I]);
    if (!N)
      continue;
    const char *Open = Used ? ", " : " (";
    const char *Name = backingName(static_cast<Backing>(I));
    int More = Kinds == 1
                   ? snprintf(By + Used, sizeof By - Used, "%s%s", Open, Name)
                   : snprintf(By + Used, sizeof By - Used, "%s%llu %s", Open,
                              static_cast<unsigned long long>(N), Name);
    Used += static_cast<size_t>(More);
  }
  if (uint64_t Assumed = get(Counts.Assumed); Assumed && Used)
    snprintf(By + Used, sizeof By - Used, "; %llu assumed",
             static_cast<unsigned long long>(Assumed));
  char Also[256] = "";
  size_t AlsoUsed = 0;
  if (uint64_t Watched = get(Counts.Watched))
    AlsoUsed = static_cast<size_t>(snprintf(
        Also, sizeof Also, "; %llu assumed pair%s watched",
        static_cast<unsigned long long>(Watched), Watched == 1 ? "" : "s"));
  if (Apart)
    snprintf(Also + AlsoUsed, sizeof Also - AlsoUsed,
             "; %llu host buffer%s in pinned-split, %llu bytes copied from or "
             "to pinned memory",
             static_cast<unsigned long long>(Apart), Apart == 1 ? "" : "s",
             static_cast<unsigned long long>(get(Counts.PinnedBytes)));
  say("%llu pair%s merged%s%s, %llu bytes not copied, %llu wait%s kept%s",
      static_cast<unsigned long long>(Pairs), Pairs == 1 ? "" : "s", By,
      Used ? ")" : "", static_cast<unsigned long long>(get(Counts.Bytes)),
      static_cast<unsigned long long>(get(Counts.Waits)),
      get(Counts.Waits) == 1 ? "" : "s", Also);
}

void armAccount() {
  pthread_once(&ArmOnce, [] {
    if (options().Stats)
      atexit(printAccount);
  });
}

} // namespace echo::rt
