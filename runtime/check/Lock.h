//===- Lock.h - The library's one lock ------------------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock guards all that the library knows. What a thread does inside of it
// (it allocates, for instance) is the library's own and not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CHECK_LOCK_H
#define ECHO_RUNTIME_CHECK_LOCK_H

#include <atomic>
#include <sched.h>

namespace echo::check {

extern std::atomic<bool> Locked;
/// The thread is in the library.
extern __thread bool Inside;

/// Holds the lock, unless the thread is in the library already: then it is
/// false, and nothing may be done.
class Entry {
public:
  Entry() : Mine(!Inside) {
    if (!Mine)
      return;
    Inside = true;
    for (unsigned Spins = 0; Locked.exchange(true, std::memory_order_acquire);)
      if (++Spins % 64 == 0)
        sched_yield();
  }
  ~Entry() {
    if (!Mine)
      return;
    Locked.store(false, std::memory_order_release);
    Inside = false;
  }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
  explicit operator bool() const { return Mine; }

private:
  const bool Mine;
};

} // namespace echo::check

#endif
