//===- Guard.h - Threads that use h beside the one that launches *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what another thread does with h comes before the next GPU work by the
// program's own order, or by chance. Where a window has ended h may be used,
// but by the thread that launches alone: it stays closed (Gate::Guarded), and
// another thread that touches it is held until GPU work begins, which makes it
// an access in a window, or until that would have begun long ago: then whoever
// launches waits for the held thread. What the launching thread has opened is
// closed again where it hands over to another thread (an unlock, a post, a
// wake, input or output), and from time to time by a thread of Echo's: a store
// alone may tell another thread of h.
// A window that is not guarded proves nothing here. The handler of SIGSEGV
// comes in: no lock, nothing but system calls.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_GUARD_H
#define ECHO_RUNTIME_DR_VALIDATE_GUARD_H

#include "runtime/dr/validate/Random.h"

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
  /// Makes some launches late, as on a slower host: another thread that uses a
  /// buffer after the launch by chance alone does it before then, and is held.
  /// For the calling thread, which is about to launch and has no lock. \p What
  /// is launched, as a number that is the same each time: each has a share of
  /// its own, after each way to hand over.
  void delay(uint64_t What);
  /// Whether it was ever asked. Lock as above.
  bool isUsed() const { return Asked || Gaps; }
  /// The calling thread touches a guarded buffer. Returns when it may go on:
  /// at once if no other thread launches, or it was waited for often enough,
  /// else once \p mayBeUsed says no of the buffer, as work has begun, or its
  /// patience has ended. That another thread uses the buffer lets nobody pass.
  /// \p Code touches it.
  void hold(unsigned Slot, uintptr_t Code,
            bool (*mayBeUsed)(unsigned Slot, const void *Base));
  /// The calling thread is about to take a lock. One that was held before is
  /// held here now and then, as if it came late: who has a lock, and is held,
  /// is waited for by whoever wants the lock, which orders nothing.
  void holdAtLock();
  /// The calling thread attempts to take \p Lock.
  void tries(const void *Lock);
  /// The calling thread is about to give \p Lock back, or to post it. Unless it
  /// launched last, it keeps a lock longer now and then that somebody has
  /// attempted to take: who launches then goes its other way.
  void keep(const void *Lock);
  /// The calling thread is about to call the C library at \p Code. Unless it
  /// launched last, it comes late now and then, as a slower one: what who
  /// launches learns of it then, by whatever it asks, is another thing.
  void linger(const void *Code);
  /// The same for the calling thread wherever it is, in a signal's handler; and
  /// whether that may be yet.
  void lingerHere();
  bool mayLingerHere() const;
  /// A child process is about to be made; and in the child, whose threads come
  /// late, too: who launches may wait for it, or look what it has done.
  void forks() { __atomic_add_fetch(&Children, 1, __ATOMIC_RELAXED); }
  void forked();
  /// The GPU has work that nobody has waited for, or not. Lock as above.
  void works(bool Does) { __atomic_store_n(&AtWork, Does, __ATOMIC_RELAXED); }
  /// True if the calling thread calls CUDA, and the GPU may be at work: what
  /// the thread does next must not depend on an answer that time alone changes.
  bool minds() const;
  /// The calling thread waits for a limited time, or has done so: whoever is
  /// held meanwhile has not been waited for.
  void waitsInTime(bool Begins);
  /// The calling thread may hand over to another one at \p Code: what it has
  /// opened is guarded again.
  void handOver(const void *Code);

  /// Kinds of buffers, by what their sizes hash to.
  static constexpr unsigned Sizes = 64;

private:
  bool launchesAlone() const;
  uint64_t gap() const;
  bool mayGoOn() const;
  uint64_t patience() const;
  void comeLate(uint32_t &Times, uint64_t &Microseconds, bool Short);
  uint64_t lost() const;

  bool isKnown(unsigned Size, unsigned By);
  uint64_t mayTake(uint64_t AtFirst) const;
  bool mayHold() const;
  bool mayHoldBriefly() const;
  template <class F> void holdBriefly(F mayBeUsed);
  bool isLate(uint32_t What, bool Told);
  template <class F> bool holdWhile(F goesOn, bool Late);

  uint64_t Launcher = 0; ///< a thread; 0: none yet; atomic
  bool OnlyOne = true;   ///< none else ever launched; atomic
  uint32_t ByOne = 0;    ///< works since another one launched; atomic

  uint64_t FirstWork = 0;  ///< when work began first, in microseconds
  uint64_t LastWork = 0;   ///< when work began last
  uint64_t Working = 0;    ///< between the two; atomic
  uint64_t LongestGap = 0; ///< between two works, undisturbed; atomic
  uint64_t LostBefore = 0; ///< lost() at LastWork
  uint64_t Works = 0;      ///< atomic
  uint64_t Gaps = 0;       ///< between works, in which windows ended; atomic
  bool Asked = false;      ///< a window ended since LastWork; atomic
  bool Turn = false;       ///< buffers are guarded in this gap
  /// A thread was held, or a launch was late, since LastWork; atomic.
  bool Disturbed = false;
  bool HeldLately = false; ///< so it was in the gap before
  /// Where who launches has handed over since LastWork, a bit each; atomic.
  uint64_t HandedOver = 0;

  bool AtWork = false;      ///< atomic
  uint32_t InTime = 0;      ///< launching threads in a limited wait; atomic
  uint64_t Held = 0;        ///< microseconds, of the other holds; atomic
  uint64_t HeldBriefly = 0; ///< by holdBriefly(); atomic
  uint32_t Again = 0;       ///< times that a thread handed over; atomic
  uint32_t Delaying = 0;    ///< threads that are made late just now; atomic
  uint32_t Delays = 0;      ///< atomic
  static constexpr unsigned NumShares = 64;
  uint32_t Shares[NumShares] = {}; ///< of Delays, by what is launched; atomic
  uint32_t AtLocks = 0;            ///< holds before locks; atomic
  uint64_t Delayed = 0;            ///< microseconds of them; atomic
  Random Numbers;                  ///< lock of validation
  static constexpr unsigned MostTried = 1024;
  uintptr_t Tried[MostTried] = {}; ///< locks, by what they hash to; atomic
  uint32_t Kept = 0;               ///< times that one was kept; atomic
  uint32_t Lingers = 0;            ///< times that a thread came late; atomic
  uint64_t Lingered = 0;           ///< microseconds of them; atomic
  uint32_t LingersHere = 0;        ///< of running threads; atomic
  uint64_t LingeredHere = 0;       ///< microseconds of them; atomic
  uint32_t Children = 0;           ///< made so far; atomic
  bool IsChild = false;
  /// Holds of all threads that ended by patience; atomic.
  uint32_t Passed[Sizes] = {};
  /// The same by the code that touched, as it hashes.
  static constexpr unsigned NumCodes = 64;
  uint32_t PassedBy[NumCodes] = {};
};

/// Sleeps past this library's own interposers.
void pauseFor(uint64_t Nanoseconds);

/// Starts the thread that closes again from time to time what has been opened,
/// in each process once. It does so between \p tryLock, where that says yes,
/// and \p unlock: no copy and no rule uses a buffer then.
void startSampler(bool (*tryLock)(), void (*unlock)());

/// That of this process.
extern Guard TheGuard;

} // namespace echo::dr

#endif
