//===- Support.cpp - Options and fork state of echort ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads echort's environment variables once, and keeps echort usable across
// fork: all locks are taken before a fork and given back on both sides, so a
// child never finds one held by a thread that it does not have.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Support.h"

#include "runtime/rt/BackingRules.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" int __cxa_atexit(void (*Run)(void *), void *Argument, void *Object);

namespace echo::rt {

static Options Settings;
static pthread_once_t SettingsOnce = PTHREAD_ONCE_INIT;
static pthread_once_t ForkOnce = PTHREAD_ONCE_INIT;
static uint32_t Era;

static const char *const BackingNames[NumBackings] = {
    "split", "system", "managed", "mapped", "pinned-split"};

const char *backingName(Backing B) {
  return BackingNames[static_cast<unsigned>(B)];
}

static BackingRules Rules;

static void readBacking(const char *Value) {
  if (!Value || !*Value)
    return;
  // The environment may change later; what checks for leaks finds this.
  static char *Kept;
  Kept = strdup(Value);
  const char *Bad = Kept ? parseBackings(Kept, Rules) : Value;
  static_cast<Wish &>(Settings) = Rules.Default;
  if (!Bad)
    return;
  Settings.Invalid = true;
  say("error: ECHO_BACKING=%.200s is not understood at '%.64s': KIND or "
      "FILE:LINE=KIND, with commas between, KIND one of auto, split, "
      "pinned-split, system, managed, mapped; no pair is merged",
      Value, Bad);
}

Wish wishFor(const char *Group) {
  const Options &Opts = options();
  return Rules.NumPairs ? wishFor(Rules, Group) : Wish(Opts);
}

static bool readSwitch(const char *Name) {
  const char *Value = getenv(Name);
  if (!Value || !*Value || !strcmp(Value, "0"))
    return false;
  if (!strcmp(Value, "1"))
    return true;
  Settings.Invalid = true;
  say("error: %s=%.64s is not 0 or 1; no pair is merged", Name, Value);
  return false;
}

/// \p Name's number, or 0.
static uint32_t readNumber(const char *Name) {
  const char *Value = getenv(Name);
  if (!Value || !*Value)
    return 0;
  char *End = nullptr;
  unsigned long Number = strtoul(Value, &End, 10);
  if (*Value >= '0' && *Value <= '9' && !*End && Number <= UINT32_MAX)
    return static_cast<uint32_t>(Number);
  Settings.Invalid = true;
  say("error: %s=%.64s is not a number; no pair is merged", Name, Value);
  return 0;
}

const Options &options() {
  pthread_once(&SettingsOnce, [] {
    readBacking(getenv("ECHO_BACKING"));
    Settings.NoUnify = readSwitch("ECHO_NO_UNIFY");
    Settings.Verbose = readSwitch("ECHO_VERBOSE");
    Settings.Watch = readNumber("ECHO_WATCH");
    Settings.Stats = readSwitch("ECHO_STATS") || Settings.Verbose;
  });
  return Settings;
}

uint32_t forkEra() { return __atomic_load_n(&Era, __ATOMIC_RELAXED); }

static void beforeFork() {
  lockRegistry();
  lockPool();
}

static void afterForkInParent() {
  unlockPool();
  unlockRegistry();
}

static void afterForkInChild() {
  __atomic_fetch_add(&Era, 1, __ATOMIC_RELAXED);
  forgetInheritedPool();
  resetAccount();
  afterForkInParent();
}

void armForkHandlers() {
  pthread_once(&ForkOnce, [] {
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  });
}

/// Heap memory and a function of libc's, which are there when the shared object
/// no longer is. What is registered without a shared object runs at the
/// process's end only.
static sem_t *End;
static pthread_once_t EndOnce = PTHREAD_ONCE_INIT;

void armEnd() {
  pthread_once(&EndOnce, [] {
    if (__tsan_acquire)
      return; // its handlers at exit hold locks that sem_post takes there
    auto *Fresh = static_cast<sem_t *>(malloc(sizeof(sem_t)));
    if (!Fresh || sem_init(Fresh, 0, 0) != 0)
      return;
    // Its result is not looked at.
    auto *Post = reinterpret_cast<void *>(sem_post);
    if (__cxa_atexit(reinterpret_cast<void (*)(void *)>(Post), Fresh,
                     nullptr) == 0)
      End = Fresh;
  });
}

bool processEnds() {
  int Value = 1;
  return !End || sem_getvalue(End, &Value) != 0 || Value != 0;
}

} // namespace echo::rt
