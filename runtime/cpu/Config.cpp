//===- Config.cpp - Reading ECHO_CPU_* ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the device's environment variables. See Config.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Config.h"
#include "runtime/abi/ByteCount.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Sanitizer.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <unistd.h>

extern char **environ;

namespace echo::cpu {

void configError(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  fputs("echo-cpu: error: ", stderr);
  vfprintf(stderr, Format, Args);
  fputc('\n', stderr);
  va_end(Args);
  exit(1);
}

/// Parses a number, which may be one of bytes; \p Least is the smallest value
/// that makes sense.
static uint64_t parseNumber(const char *Name, const char *Text, uint64_t Least,
                            uint64_t Most) {
  uint64_t Value = 0;
  if (!readByteCount(Text, Value) || Value < Least || Value > Most)
    configError("%s=%s: expected a number from %llu to %llu", Name, Text,
                (unsigned long long)Least, (unsigned long long)Most);
  return Value;
}

static void parseSched(Config &C, const char *Text) {
  if (!strcmp(Text, "eager")) {
    C.Sched = Policy::Eager;
  } else if (!strcmp(Text, "lazy")) {
    C.Sched = Policy::Lazy;
  } else if (!strncmp(Text, "random:", 7) && Text[7]) {
    C.Sched = Policy::Random;
    C.Seed = parseNumber("ECHO_CPU_SCHED seed", Text + 7, 0, UINT64_MAX);
  } else {
    configError("ECHO_CPU_SCHED=%s: expected eager, lazy or random:SEED", Text);
  }
}

static unsigned hardwareThreads() {
  cpu_set_t Set;
  if (sched_getaffinity(0, sizeof(Set), &Set) == 0 && CPU_COUNT(&Set) > 0)
    return CPU_COUNT(&Set);
  long Online = sysconf(_SC_NPROCESSORS_ONLN);
  return Online > 0 ? Online : 1;
}

static constexpr const char *Variables[] = {
#define ECHO_ENV(Name, Who, Text) Name,
#include "runtime/abi/EchoEnv.def"
};

/// Names that are misspelled would otherwise do nothing.
static void checkNames() {
  for (char **E = environ; E && *E; ++E) {
    if (strncmp(*E, "ECHO_CPU_", 9))
      continue;
    std::string Name(*E, strcspn(*E, "="));
    std::string Others;
    bool Found = false;
    for (const char *K : Variables) {
      if (strncmp(K, "ECHO_CPU_", 9))
        continue;
      Found |= Name == K;
      Others += (Others.empty() ? "" : ", ") + std::string(K);
    }
    if (!Found)
      configError("unknown variable %s; known are %s", Name.c_str(),
                  Others.c_str());
  }
}

Config readConfig() {
  Config C;
  checkNames();
  if (const char *T = getenv("ECHO_CPU_SCHED"))
    parseSched(C, T);
  C.Workers = hardwareThreads();
  if (const char *T = getenv("ECHO_CPU_THREADS"))
    C.Workers = parseNumber("ECHO_CPU_THREADS", T, 1, 1024);
  C.MemoryBytes =
      size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  if (const char *T = getenv("ECHO_CPU_MEMORY"))
    C.MemoryBytes = parseNumber("ECHO_CPU_MEMORY", T, 1, SIZE_MAX / 2);
  // Instrumented code has larger frames, and reports are made on the stack.
  if (underSanitizer())
    C.StackBytes *= 4;
  if (const char *T = getenv("ECHO_CPU_STACK"))
    C.StackBytes = parseNumber("ECHO_CPU_STACK", T, 16 << 10, 1 << 30);
  C.Poison = C.Sched != Policy::Eager;
  if (const char *T = getenv("ECHO_CPU_POISON")) {
    uint64_t Level = parseNumber("ECHO_CPU_POISON", T, 0, 2);
    C.Poison = Level >= 1;
    C.PoisonDownloads = Level == 2;
  }
  if (const char *T = getenv("ECHO_CPU_LENIENT"))
    C.Lenient = parseNumber("ECHO_CPU_LENIENT", T, 0, 1);
  if (const char *T = getenv("ECHO_CPU_FAIL"))
    planFailures(T);
  initAttributes(C.Workers);
  if (const char *T = getenv("ECHO_CPU_DEVICE"))
    becomeDevice(T);
  if (const char *T = getenv("ECHO_CPU_ATTR"))
    overrideAttributes(T);
  // Work must wait for a wait where managed pages get protected meanwhile.
  if (!attribute(Attr::ConcurrentManagedAccess))
    C.Sched = Policy::Lazy;
  return C;
}

} // namespace echo::cpu
