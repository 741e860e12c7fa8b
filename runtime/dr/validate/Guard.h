//===- Guard.h - Threads that use h beside the one that launches *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what another thread does with h comes before the next GPU work by the
// program's own order, or by chance. Where a window has ended h may be used,
// but by the thread that launches alone: it stays closed (Gate::Guarded), and
// another thread that touches it is held until GPU work begins, which makes it
// an access in a window, or until that would have begun long ago: then whoever
// launches waits for the held thread. What opened h is forgotten where the
// program hands over to another thread: at an unlock, a post, or a wake.
// A window that is not guarded proves nothing here. The handler of SIGSEGV
// comes in: no lock, nothing but system calls.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_GUARD_H
#define ECHO_RUNTIME_DR_VALIDATE_GUARD_H

#include <stdint.h>

namespace echo::dr {

class Guard {
public:
  /// The calling thread begins work of the GPU. The caller holds the lock of
  /// validation.
  void workBegins();
  /// Whether a buffer whose window ends now is to be guarded: so are all, or
  /// none, whose windows end before work begins again. Lock as above.
  bool wants();
  /// The calling thread touches a guarded buffer. Returns when it may go on:
  /// at once if no other thread launches, else once \p mayBeUsed says no of
  /// the buffer, as work has begun, or its patience has ended. That another
  /// thread uses the buffer lets nobody pass.
  void hold(unsigned Slot, bool (*mayBeUsed)(unsigned Slot, const void *Base));
  /// The calling thread may hand over to another one: what it has opened is
  /// guarded again.
  void handOver();

private:
  bool launchesAlone() const;
  uint64_t patience() const;

  uintptr_t Launcher = 0;     ///< a thread; 0: none yet; atomic
  bool SeveralLaunch = false; ///< atomic
  uint64_t LastWork = 0;      ///< when work began last, in microseconds
  uint64_t LongestGap = 0;    ///< between two works, no thread held; atomic
  uint64_t Works = 0;
  uint64_t Gaps = 0;      ///< between works, in which windows ended
  bool Asked = false;     ///< a window ended since LastWork
  uint64_t Held = 0;      ///< microseconds, of all holds; atomic
  uint32_t Passed = 0;    ///< holds that ended by patience; atomic
  uint32_t Again = 0;     ///< times that a thread handed over; atomic
  bool Disturbed = false; ///< a thread was held since LastWork; atomic
};

/// That of this process.
extern Guard TheGuard;

} // namespace echo::dr

#endif
