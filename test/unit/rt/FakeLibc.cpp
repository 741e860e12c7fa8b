//===- FakeLibc.cpp - Memory of the system that may fail ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FakeLibc.h.
//
//===----------------------------------------------------------------------===//
#include "FakeLibc.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <sys/mman.h>

static std::atomic<unsigned> Calls{0}, Failing{0};
static std::atomic<bool> NoMaps{false};

namespace fake {
void failLibcCall(unsigned Call) {
  Calls = 0;
  Failing = Call;
}
unsigned libcCalls() { return Calls; }
void failMaps(bool Fail) { NoMaps = Fail; }
} // namespace fake

/// Counts a call; true if it fails.
static bool fails() {
  bool Now = ++Calls == Failing;
  if (Now)
    errno = ENOMEM;
  return Now;
}

extern "C" {
void *__real_malloc(size_t Bytes);
void *__real_calloc(size_t Count, size_t Bytes);
void *__real_mmap(void *At, size_t Bytes, int Access, int Flags, int File,
                  off_t Offset);

void *__wrap_malloc(size_t Bytes) {
  return fails() ? nullptr : __real_malloc(Bytes);
}
void *__wrap_calloc(size_t Count, size_t Bytes) {
  return fails() ? nullptr : __real_calloc(Count, Bytes);
}
void *__wrap_mmap(void *At, size_t Bytes, int Access, int Flags, int File,
                  off_t Offset) {
  return fails() || NoMaps
             ? MAP_FAILED
             : __real_mmap(At, Bytes, Access, Flags, File, Offset);
}
}
