//===- Threads.h - What is kept of each thread ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pointer and one counter in thread-local storage, which is scarce: it is
// part of every thread's stack. The rest is mapped at a thread's first event
// and given back when the thread ends.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_THREADS_H
#define ECHO_RUNTIME_DR_THREADS_H

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

struct SiteCache;

struct Thread {
  Thread *Next = nullptr; ///< in the list of those that can be used again
  uint16_t Number = 0; ///< in the trace; those of threads that are gone recur
  uint64_t Serial = 0; ///< no other thread of the process has or had it
  SiteCache *Sites = nullptr;
  void *Chunk = nullptr; ///< of the trace; 1024 records
  uint32_t Filled = 0;   ///< records of it
  uint32_t Process = 0;  ///< whose trace Chunk belongs to
  void *TakenAlong =
      nullptr; ///< 64 KiB, for small uploads (optimize/StandIn.h)
};

/// The calling thread's; null if there is no memory, or the thread is ending.
Thread *thisThread();

/// Number of calls that this thread is inside of.
extern __thread unsigned Depth __attribute__((tls_model("initial-exec")));

void dropSiteCache(Thread &T);

} // namespace echo::dr

#endif
