//===- Streams.h - Which stream each event of a trace is about --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA gives the handle of a stream that was destroyed to a new one, and each
// thread has a default stream under the same handle: here each stream is one of
// its own. A stream is the library's that made it, by the call site of its
// creation: that is how reports name it. Order never depends on whose it is,
// but only on events, waits and the legacy stream (Waits.h).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_STREAMS_H
#define ECHO_PROFILE_STREAMS_H

#include "Profile/Trace.h"

namespace echo::drtool {

struct TracedStream {
  enum Origin : uint8_t {
    Legacy,
    OfThread, ///< a thread's default stream
    Made,
    Unseen, ///< made where Echo did not see it
  };
  Origin From = Unseen;
  uint64_t Handle = 0;
  uint16_t Thread = 0;      ///< OfThread: whose
  bool NonBlocking = false; ///< Made
  uint64_t Site = 0;        ///< Made: where

  /// Certainly waits for the legacy stream and is waited for.
  bool isBlocking() const {
    return From == OfThread || (From == Made && !NonBlocking);
  }
};

struct StreamHistory {
  static constexpr size_t Nothing = ~size_t(0);
  std::vector<TracedStream> Streams; ///< the first is the legacy stream
  /// For each event of the trace: its stream, or Nothing where it names none.
  std::vector<size_t> Of;
};

StreamHistory followStreams(const Trace &T);

/// Whether \p R puts work into a stream.
bool isWork(const TraceRecord &R);

/// How many calls \p R stands for: of launches, itself and those like it that
/// its record counts.
uint64_t callsOf(const TraceRecord &R);

/// One kernel's launches in one stream, made by one module.
struct KernelUse {
  size_t Stream = 0;
  uint64_t Function = 0; ///< 0: graphs
  uint64_t Module = 0;   ///< 0: not known
  uint64_t Launches = 0;
};

/// What was launched, most often first.
std::vector<KernelUse> kernelUses(const Trace &T, const StreamHistory &H);

/// The hash of the library that made a stream; 0: the program did, or it is not
/// known.
uint64_t libraryOf(const Trace &T, const TracedStream &S);

/// "stream 3 of libcudnn.so.9" and the like, by the stream's number.
std::string streamText(const Trace &T, const StreamHistory &H, size_t Stream);

} // namespace echo::drtool

#endif
