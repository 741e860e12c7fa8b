//===- Sanitizer.h - What sanitizers must be told ------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells ThreadSanitizer which order the device gives (and only that order: the
// runtime's own locks are hidden, or they would order what CUDA does not), and
// both sanitizers about stack switches. Every call is weak, so that one library
// serves programs built with and without them. It decides nothing about when
// work runs, except that under ThreadSanitizer host threads run no device work.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_SANITIZER_H
#define ECHO_RUNTIME_CPU_SANITIZER_H

#include <cstddef>

extern "C" {
__attribute__((weak)) void __tsan_acquire(void *Address);
__attribute__((weak)) void __tsan_release(void *Address);
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned Flags);
__attribute__((weak)) void __tsan_switch_to_fiber(void *Fiber, unsigned Flags);
__attribute__((weak)) void AnnotateIgnoreSyncBegin(const char *, int);
__attribute__((weak)) void AnnotateIgnoreSyncEnd(const char *, int);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **FakeStackSave,
                                                          const void *Bottom,
                                                          size_t Size);
__attribute__((weak)) void
__sanitizer_finish_switch_fiber(void *FakeStackSave, const void **BottomOld,
                                size_t *SizeOld);
}

namespace echo::cpu {

/// The program runs under ThreadSanitizer.
inline bool underTsan() { return __tsan_acquire != nullptr; }

/// What happened before release(\p Key) happened before what follows.
inline void tsanAcquire(void *Key) {
  if (__tsan_acquire)
    __tsan_acquire(Key);
}
inline void tsanRelease(void *Key) {
  if (__tsan_release)
    __tsan_release(Key);
}

/// While one lives, locks of this thread order nothing in ThreadSanitizer's
/// eyes. Not used where the runtime itself is instrumented.
struct HideSync {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ECHO_INSTRUMENTED 1
#endif
#endif
#ifndef ECHO_INSTRUMENTED
  HideSync() {
    if (AnnotateIgnoreSyncBegin)
      AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  }
  ~HideSync() {
    if (AnnotateIgnoreSyncEnd)
      AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  }
#else
  HideSync() {}
  ~HideSync() {}
#endif
  HideSync(const HideSync &) = delete;
  HideSync &operator=(const HideSync &) = delete;
};

/// Undoes HideSync for a while, where the program's own code runs.
struct ShowSync {
#ifndef ECHO_INSTRUMENTED
  ShowSync() {
    if (AnnotateIgnoreSyncEnd)
      AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  }
  ~ShowSync() {
    if (AnnotateIgnoreSyncBegin)
      AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  }
#else
  ShowSync() {}
  ~ShowSync() {}
#endif
  ShowSync(const ShowSync &) = delete;
  ShowSync &operator=(const ShowSync &) = delete;
};

} // namespace echo::cpu

#endif
