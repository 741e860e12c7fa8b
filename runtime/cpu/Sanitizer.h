//===- Sanitizer.h - What sanitizers must be told ------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the sanitizers that the runtime calls, all of them weak, so
// that one library serves programs built with and without them; and what hides
// the runtime's own locks and accesses from ThreadSanitizer, for which they
// would order what CUDA does not. Crew.h tells it the order that CUDA gives.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_SANITIZER_H
#define ECHO_RUNTIME_CPU_SANITIZER_H

#include "runtime/abi/EchoCheck.h"

#include <cstddef>
#include <cstdint>

extern "C" {
__attribute__((weak)) void __tsan_acquire(void *Address);
__attribute__((weak)) void __tsan_release(void *Address);
__attribute__((weak)) void *__tsan_get_current_fiber(void);
__attribute__((weak)) void *__tsan_create_fiber(unsigned Flags);
__attribute__((weak)) void __tsan_destroy_fiber(void *Fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *Fiber, unsigned Flags);
__attribute__((weak)) void __tsan_read_range(void *Address, unsigned long Size);
__attribute__((weak)) void __tsan_write_range(void *Address,
                                              unsigned long Size);
__attribute__((weak)) void __tsan_func_entry(void *CallerPc);
__attribute__((weak)) void __tsan_func_exit(void);
__attribute__((weak)) void AnnotateIgnoreSyncBegin(const char *, int);
__attribute__((weak)) void AnnotateIgnoreSyncEnd(const char *, int);
__attribute__((weak)) void AnnotateIgnoreReadsBegin(const char *, int);
__attribute__((weak)) void AnnotateIgnoreReadsEnd(const char *, int);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char *, int);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char *, int);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **FakeStackSave,
                                                          const void *Bottom,
                                                          size_t Size);
__attribute__((weak)) void
__sanitizer_finish_switch_fiber(void *FakeStackSave, const void **BottomOld,
                                size_t *SizeOld);
__attribute__((weak)) void __sanitizer_print_stack_trace(void);
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *,
                                                       size_t);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *,
                                                         size_t);

// The library of --check (runtime/check), to which the order is told as it is
// to ThreadSanitizer.
__attribute__((weak)) const void *echo_check_here(void);
__attribute__((weak)) void echo_check_allocated(void *Base, size_t Bytes,
                                                int OnDevice);
__attribute__((weak)) void echo_check_freed(void *Base);
__attribute__((weak)) void echo_check_reset(void);
__attribute__((weak)) void echo_check_copy(void *Dst, size_t DstPitch,
                                           const void *Src, size_t SrcPitch,
                                           size_t Width, size_t Height,
                                           int Parts);
__attribute__((weak)) void echo_check_set(void *Dst, size_t Pitch, size_t Width,
                                          size_t Height);
__attribute__((weak)) void echo_check_forget(uint64_t *Key);
struct EchoCheckPlace;
__attribute__((weak)) void echo_check_read(const void *Address, size_t Bytes,
                                           const EchoCheckPlace *Place);
__attribute__((weak)) void echo_check_write(const void *Address, size_t Bytes,
                                            const EchoCheckPlace *Place);
}

namespace echo::cpu {

/// The program runs under ThreadSanitizer.
inline bool underTsan() { return __tsan_acquire != nullptr; }
/// The program follows its pairs (--check); underTsan() then holds, too.
inline bool underCheck() { return echo_check_copy != nullptr; }
/// The program runs under AddressSanitizer.
inline bool underAsan() { return __asan_poison_memory_region != nullptr; }
/// The program runs under any sanitizer.
inline bool underSanitizer() {
  return __sanitizer_print_stack_trace != nullptr;
}

// Where the runtime itself is instrumented, its locks are seen as they are.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ECHO_INSTRUMENTED 1
#endif
#endif

/// How many HideSync the thread is in.
inline thread_local unsigned HideDepth = 0;

inline void setHidden(bool Hidden) {
#ifndef ECHO_INSTRUMENTED
  if (!underTsan())
    return;
  if (Hidden) {
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  } else {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  }
#endif
}

/// While one lives, ThreadSanitizer sees neither locks nor accesses of this
/// thread: the runtime's own are right, and order nothing for the program.
struct HideSync {
  HideSync() {
    if (HideDepth++ == 0)
      setHidden(true);
  }
  ~HideSync() {
    if (--HideDepth == 0)
      setHidden(false);
  }
  HideSync(const HideSync &) = delete;
  HideSync &operator=(const HideSync &) = delete;
};

/// Undoes HideSync for a while: the program's own code runs.
struct ShowSync {
  ShowSync() : Depth(HideDepth) {
    if (Depth)
      setHidden(false);
    HideDepth = 0;
  }
  ~ShowSync() {
    HideDepth = Depth;
    if (Depth)
      setHidden(true);
  }
  ShowSync(const ShowSync &) = delete;
  ShowSync &operator=(const ShowSync &) = delete;

private:
  unsigned Depth;
};

} // namespace echo::cpu

#endif
