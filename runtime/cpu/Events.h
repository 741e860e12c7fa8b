//===- Events.h - What an event stands for ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event names the moment when all that a stream held at its record is done,
// or, where the stream was captured, nodes of a graph. Decides which handles
// are events. It must never look into what a handle points to before that.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_EVENTS_H
#define ECHO_RUNTIME_CPU_EVENTS_H

#include "runtime/cpu/CudaTypes.h"
#include "runtime/cpu/Op.h"

#include <memory>
#include <mutex>
#include <vector>

namespace echo::cpu {

struct GraphNode;
struct Sequence;

struct Event {
  static constexpr uint64_t AliveMagic = 0x746e65764543;
  std::atomic<uint64_t> Magic{0};
  std::mutex Mutex;
  unsigned Flags = 0;
  bool Recorded = false;
  OpRef Marker;      ///< empty: it was done at the record
  uint64_t Time = 0; ///< of the record, where Marker is empty
  /// Where it was last recorded in a stream that was captured: by which
  /// capture, and what the stream held then.
  std::atomic<bool> OfCapture{false};
  std::shared_ptr<Sequence> CapturedIn;
  std::vector<GraphNode *> CapturedAt;

  bool timed() const { return !(Flags & cudaEventDisableTiming); }
};

/// A copy of what the last record left.
struct Moment {
  bool Recorded, Timed;
  OpRef Marker;
  uint64_t Time;
  bool done() const { return !Marker || Marker->done(); }
  uint64_t time() const { return Marker ? Marker->FinishTime : Time; }
};

Event *makeEvent(unsigned Flags);
void dropEvent(Event *E);
/// The event of a handle; null for one that is none.
Event *findEvent(cudaEvent_t Handle);
Moment momentOf(Event &E);
/// \p E stands for \p Marker from now on; empty: for now.
void setMoment(Event &E, OpRef Marker);
/// The capture of the last record, and its nodes; empty if it was in none.
std::shared_ptr<Sequence> captureOf(Event &E, std::vector<GraphNode *> &At);
/// \p E stands for nodes of a graph.
void setCaptured(Event &E, std::shared_ptr<Sequence> In,
                 std::vector<GraphNode *> At);

} // namespace echo::cpu

#endif
