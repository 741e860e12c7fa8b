//===- Buffers.h - Which buffers a trace's copies go between ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replays allocations and frees in the order in which they took effect, and
// finds for each copy the host and the device buffer around its pointers. A
// pointer may lie anywhere in an allocation; one that lies in none that is
// alive, or whose range reaches beyond it, is not resolved.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_BUFFERS_H
#define ECHO_PROFILE_BUFFERS_H

#include "Profile/Trace.h"

namespace echo::drtool {

struct Buffer {
  bool OnDevice = false;
  uint64_t Base = 0, Bytes = 0, Site = 0;
  dr::How Kind = dr::How::Unknown;
  uint64_t From = 0, Until = ~uint64_t(0); ///< nanoseconds
  uint64_t Reasons = 0; ///< bits, by number, of Ineligible records
  uint64_t Ordinal = 0; ///< among the allocations of its site and size
  bool Copied = false;  ///< a copy, or a set, names it

  bool has(dr::Reason R) const { return Reasons >> unsigned(R) & 1; }
};

/// A copy between the host and the device.
struct TracedCopy {
  static constexpr size_t Nothing = ~size_t(0);
  size_t Event = 0; ///< in Trace::Events
  bool ToDevice = false, Async = false;
  size_t Host = Nothing, Device = Nothing; ///< in BufferHistory::Buffers
  uint64_t HostOffset = 0, DeviceOffset = 0;
  /// The program said which way, or the pointers do; else the device side may
  /// lie with the host, and what the copy waits for is not known.
  bool IsCertain = true;
};

struct BufferHistory {
  std::vector<Buffer> Buffers;
  std::vector<TracedCopy> Copies; ///< successful ones, in order
};

BufferHistory followBuffers(const Trace &T);

} // namespace echo::drtool

#endif
