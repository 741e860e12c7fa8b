//===- Streams.h - Streams and their order -------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what a new operation must wait for: its stream's last one, and, by
// the rules of the legacy default stream, the last ones of other streams.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_STREAMS_H
#define ECHO_RUNTIME_CPU_STREAMS_H

#include "runtime/cpu/Crew.h"
#include "runtime/cpu/CudaTypes.h"
#include "runtime/cpu/Op.h"

#include <memory>

namespace echo::cpu {

struct Captured;

struct Stream {
  static constexpr uint64_t AliveMagic = 0x6d61657274736345;
  std::atomic<uint64_t> Magic{0};
  std::atomic<uint32_t> Pending{0}; ///< operations that are not done
  bool Blocking = true;
  bool Legacy = false;
  bool Destroyed = false;
  unsigned Flags = 0;
  int Priority = 0;
  uint64_t Id = 0;
  OpRef Tail;
  std::atomic<Captured *> Capture{nullptr}; ///< graphs/Capture.h
  std::shared_ptr<Crew> Threads; ///< its own, under ThreadSanitizer only
};

/// The stream of a handle, where 0 is the default stream of the caller's kind;
/// null for a handle that is none.
Stream *findStream(cudaStream_t Handle, bool PerThread);
Stream *legacyStream();
/// Holds the markers that wait for the whole device.
Stream *deviceStream();
/// Holds the markers of events that were recorded in blocking streams.
Stream *eventStream();

/// True where nothing is queued in \p S; in the legacy stream or any blocking
/// one, if \p S is the legacy stream.
bool streamIdle(const Stream &S);
/// True where nothing is queued that an operation in \p S would wait for: of a
/// blocking stream the legacy stream's work, too.
bool runsAtOnce(const Stream &S);
bool deviceIdle();

/// Queues \p O, whose reference it takes, in \p S; \p After is one more
/// operation it waits for.
void submit(Stream &S, Op *O, Op *After = nullptr);
/// An operation that calls a host function, unless the device failed before.
Op *makeHostOp(cudaHostFn_t Fn, void *Data);
/// A marker in \p S that also waits for \p After; done when both are.
OpRef joinInto(Stream &S, Op *After, bool WantsTime = false);
/// Waits for all that is queued in \p S.
void waitStream(Stream &S);
/// Waits for all that is queued on the device.
void waitDevice();
/// As these, where CUDA does not promise that the call waits: ThreadSanitizer
/// sees no order.
void settleStream(Stream &S);
void settleDevice();
/// Sees to it that what \p S holds will run, without waiting. Queues nothing,
/// so that a program may ask as often as it likes.
void demandStream(const Stream &S);
/// A reference to an operation that is done when all in \p S now is; empty if
/// it is already (never under ThreadSanitizer, which learns the order by it).
OpRef markStream(Stream &S, bool WantsTime);
/// The same for an event that is recorded in \p S. In a blocking stream the
/// event also waits for the legacy stream's work, but the record is no work of
/// the stream: what waits for the stream does not wait for that (seen on an
/// H200).
OpRef recordStream(Stream &S, bool WantsTime);

/// \p S has no work left; called by the scheduler under its lock.
void streamQuiet(Stream &S);

} // namespace echo::cpu

#endif
