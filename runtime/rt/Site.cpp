//===- Site.cpp - What was measured where a pair is allocated -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trial of a pair that a loop allocates: one round to warm up and three
// that count, merged, then as many split. Only one site is on trial at a time,
// or each would measure the others; a site that is allocated once never is.
// The fastest rounds are compared, which noise makes slower but never faster.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Site.h"
#include "runtime/rt/Profile.h"

#include <new>
#include <stdlib.h>
#include <time.h>

namespace echo::rt {

static constexpr uint32_t RoundsEach = 4; ///< the first warms up
static constexpr uint32_t CopiesEach = 3; ///< of pinned memory, at least

static uint64_t monotonic() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(Now.tv_nsec);
}
uint64_t (*Clock)() = monotonic;

static Site *OnTrial;
static uint64_t TrialSeen; ///< when the site on trial was last seen

Site *siteOf(EchoGroup *Group) {
  auto *S =
      static_cast<Site *>(__atomic_load_n(&Group->runtime, __ATOMIC_ACQUIRE));
  if (S) {
    seesPublished(Group);
    return S;
  }
  void *Memory = malloc(sizeof(Site));
  if (!Memory)
    return nullptr;
  auto *Fresh = new (Memory) Site();
  void *Expected = nullptr;
  publishes(Group);
  if (__atomic_compare_exchange_n(&Group->runtime, &Expected,
                                  static_cast<void *>(Fresh), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return Fresh;
  free(Fresh);
  seesPublished(Group);
  return static_cast<Site *>(Expected);
}

static void add(Fastest &F, uint64_t Nanoseconds) {
  if (!F.Count++ || Nanoseconds < F.Nanoseconds)
    F.Nanoseconds = Nanoseconds;
}

/// \p Kind lost, by the numbers given.
static void learn(Site &S, const EchoGroup &Group, Backing Kind, uint64_t With,
                  uint64_t Without) {
  S.Slow[static_cast<unsigned>(Kind)] = true;
  const char *Name = Group.name ? Group.name : "(unnamed pair)";
  if (options().Verbose)
    say("%s: split from now on: %s measured %llu us, split %llu us", Name,
        backingName(Kind), static_cast<unsigned long long>(With / 1000),
        static_cast<unsigned long long>(Without / 1000));
  keepLesson(Group.name, Kind);
}

static void endTrial(Site &S) {
  S.Decided = true;
  Site *Mine = &S;
  __atomic_compare_exchange_n(&OnTrial, &Mine, static_cast<Site *>(nullptr),
                              false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/// Only one site at a time: true if that is \p S. A loop that ended in the
/// middle of its trial leaves it to the next.
static bool isOnTrial(Site &S, uint64_t Now) {
  static constexpr uint64_t Patience = 1000000000;
  Site *Holder = __atomic_load_n(&OnTrial, __ATOMIC_ACQUIRE);
  bool Free =
      !Holder || Now - __atomic_load_n(&TrialSeen, __ATOMIC_RELAXED) > Patience;
  if (Holder != &S && (!Free || !__atomic_compare_exchange_n(
                                    &OnTrial, &Holder, &S, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)))
    return false;
  __atomic_store_n(&TrialSeen, Now, __ATOMIC_RELAXED);
  return true;
}

/// One round of the trial ends, another begins. The lock is held.
static bool nextRound(Site &S, const EchoGroup &Group, Backing Kind,
                      size_t Bytes) {
  uint64_t Now = Clock();
  bool Same =
      S.Last && S.Bytes == Bytes && pthread_equal(S.Thread, pthread_self());
  // A pair of another size, or of another thread: its rounds tell nothing.
  if (!Same) {
    S.Rounds[0] = S.Rounds[1] = Fastest();
    S.Bytes = Bytes;
    S.Thread = pthread_self();
    S.Last = Now;
    return S.Merged = true;
  }
  uint64_t Took = Now - S.Last;
  S.Last = Now;
  if (!isOnTrial(S, Now))
    return S.Merged = true;
  Fastest &Of = S.Rounds[S.Merged];
  add(Of, Took);
  if (Of.Count == 1)
    Of.Nanoseconds = UINT64_MAX; // it warmed up
  if (Of.Count < RoundsEach)
    return S.Merged;
  if (S.Merged)
    return S.Merged = false;
  endTrial(S);
  uint64_t With = S.Rounds[1].Nanoseconds, Without = S.Rounds[0].Nanoseconds;
  // Within 2 % either is as good; merging saves memory, too.
  if (With > Without + Without / 50)
    learn(S, Group, Kind, With, Without);
  return S.Merged = !S.Slow[static_cast<unsigned>(Kind)];
}

bool gateAllows(Site &S, const EchoGroup &Group, Backing Kind, size_t Bytes) {
  Guard G(S.Lock);
  for (unsigned I = 0; !S.LessonsRead && I != NumBackings; ++I)
    S.Slow[I] |= lessonSays(Group.name, static_cast<Backing>(I));
  S.LessonsRead = true;
  if (S.Slow[static_cast<unsigned>(Kind)])
    return false;
  // Reading host page tables costs the GPU what its own memory does, and the
  // copies of pinned-split are measured one by one.
  bool Tries = Kind == Backing::Managed || Kind == Backing::Mapped;
  return !Tries || S.Decided || nextRound(S, Group, Kind, Bytes);
}

void noteCopy(Site &S, const EchoGroup &Group, bool Pinned, size_t Bytes,
              uint64_t Nanoseconds) {
  Guard G(S.Lock);
  if (S.CopyBytes != Bytes) {
    S.Copies[0] = S.Copies[1] = Fastest();
    S.CopyBytes = Bytes;
  }
  add(S.Copies[Pinned], Nanoseconds);
  uint64_t With = S.Copies[1].Nanoseconds, Without = S.Copies[0].Nanoseconds;
  bool &Slow = S.Slow[static_cast<unsigned>(Backing::PinnedSplit)];
  if (!Slow && S.Copies[0].Count && S.Copies[1].Count == CopiesEach &&
      With > Without + Without / 50)
    learn(S, Group, Backing::PinnedSplit, With, Without);
}

bool queueingPays(Site &S, size_t Bytes) {
  Guard G(S.Lock);
  if (S.UploadsDecided)
    return S.UploadQueued;
  uint64_t Now = Clock(), Took = Now - S.LastUpload;
  bool Same = S.LastUpload && S.UploadBytes == Bytes &&
              pthread_equal(S.UploadThread, pthread_self());
  S.LastUpload = Now;
  if (!Same) {
    S.Uploads[0] = S.Uploads[1] = Fastest();
    S.UploadBytes = Bytes;
    S.UploadThread = pthread_self();
    return S.UploadQueued = true;
  }
  Fastest &Of = S.Uploads[S.UploadQueued];
  add(Of, Took);
  if (Of.Count == 1)
    Of.Nanoseconds = UINT64_MAX; // it warmed up
  if (Of.Count < RoundsEach)
    return S.UploadQueued;
  if (S.UploadQueued)
    return S.UploadQueued = false;
  S.UploadsDecided = true;
  uint64_t With = S.Uploads[1].Nanoseconds, Without = S.Uploads[0].Nanoseconds;
  return S.UploadQueued = With <= Without + Without / 50;
}

bool hasMeasuredCopies(Site &S, size_t Bytes) {
  Guard G(S.Lock);
  return S.CopyBytes == Bytes && S.Copies[1].Count >= CopiesEach;
}

} // namespace echo::rt
