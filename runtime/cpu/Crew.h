//===- Crew.h - A stream's own threads, for ThreadSanitizer --- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under ThreadSanitizer each stream has threads of its own, so that what runs
// one after the other on a thread is what the stream orders, and nothing else.
// Here, too, is the order that CUDA gives told to ThreadSanitizer: by keys, one
// for each set of finished work that something may wait for. It decides nothing
// about when work runs; the scheduler does. Without ThreadSanitizer no stream
// has a crew and nothing here does anything.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_CREW_H
#define ECHO_RUNTIME_CPU_CREW_H

#include "runtime/cpu/Op.h"

#include <condition_variable>
#include <memory>
#include <pthread.h>

namespace echo::cpu {

/// What ThreadSanitizer needs of one stream. Under the scheduler's lock.
struct Crew {
  std::condition_variable Cv;
  Op *Head = nullptr; ///< the stream's operation that may run, if any
  bool End = false;   ///< its threads shall end
  std::vector<pthread_t> Threads; ///< those that run
  uint64_t Done = 0;              ///< key: what the stream has finished
  void *Fiber = nullptr; ///< stands for the stream where no thread of it runs
  uint64_t Id = 0;       ///< the stream's, for the threads' names
};

/// More threads than this share no grid, however many blocks it has: enough to
/// show that neighbouring blocks are not ordered.
inline constexpr unsigned GridShares = 2;

/// A crew for a new stream; null without ThreadSanitizer.
std::shared_ptr<Crew> makeCrew(uint64_t Id);
/// The stream is gone: its threads end. Under the scheduler's lock.
void endCrew(const std::shared_ptr<Crew> &C);

// What is ordered, as ThreadSanitizer shall see it.

/// \p O was queued by the calling host thread; \p After is the marker of an
/// event that it waits for, or null.
void orderSubmitted(Op &O, Op *After);
/// A thread of \p O's stream begins a share of it.
void orderStarted(Op &O);
/// It has ended that share.
void orderShareDone(Op &O);
/// \p O is done, all its shares are. On a thread of its stream; a marker may be
/// finished by any thread.
void orderDone(Op &O);
/// The calling host thread has waited for \p O.
void orderWaitedFor(Op &O);
/// It has waited for all that \p S held.
void orderWaitedFor(Stream &S);
/// It has waited for all that was queued.
void orderWaitedForDevice();
/// Memory that \p S gives or takes back in its order: what else uses it must
/// be ordered after or before this point of the stream.
void orderLifetime(void *Base, size_t Bytes, Stream &S);

} // namespace echo::cpu

#endif
