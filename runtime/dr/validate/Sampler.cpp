//===- Sampler.cpp - Guards again what was opened -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of Echo's in mode validate. Where the launching thread has opened a
// guarded buffer, it closes that again after a while that follows no rhythm, so
// that another thread which uses the buffer now is held (Guard.h), however it
// was told to. It makes threads late that compute (Lateness.h), too. It takes a
// twentieth of the time at most, sees no signal of the program's, and ends with
// the process. A process that may make no more threads does without.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Clock.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/Lateness.h"
#include "runtime/dr/validate/Pages.h"
#include "runtime/dr/validate/Random.h"

#include <pthread.h>
#include <signal.h>

namespace echo::dr {

static bool (*TryLock)();
static void (*Unlock)();

static void *sample(void * /*None*/) {
  const Inside Own;
  constexpr uint64_t Share = 20, Least = 100000, Other = 900000;
  Random Numbers;
  for (uint64_t Took = 0;;) {
    const uint64_t While = Least + Numbers.below(Other);
    pauseFor(While < Share * Took ? Share * Took : While);
    delayThreads();
    if (!Watched.anyPassed() || !TryLock())
      continue;
    const uint64_t Begin = clockNs();
    Watched.guardAgain();
    Took = clockNs() - Begin;
    Unlock();
  }
}

void startSampler(bool (*tryLock)(), void (*unlock)()) {
  const Inside Own;
  TryLock = tryLock;
  Unlock = unlock;
  sigset_t All, Was;
  sigfillset(&All);
  pthread_t Thread;
  pthread_sigmask(SIG_SETMASK, &All, &Was);
  if (pthread_create(&Thread, nullptr, sample, nullptr) == 0)
    pthread_detach(Thread);
  pthread_sigmask(SIG_SETMASK, &Was, nullptr);
}

} // namespace echo::dr
