//===- StreamCapture.h - Streams that a graph may be made of ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a stream is captured into a graph, copies and launches in it happen
// later, and again; and CUDA refuses waits, also for other streams and of other
// threads, so that what they order is not. Decides, from a function's events,
// whether something may be captured while the function runs: a stream that
// others know, by a function that it calls or by its caller, to which it leaves
// the buffers; any stream, by code of the module. It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_STREAMCAPTURE_H
#define ECHO_ANALYSIS_CONDITIONS_STREAMCAPTURE_H

#include "Analysis/Candidates/Pairs.h"
#include "Analysis/Events/Effects.h"

namespace echo {

class StreamCapture {
public:
  StreamCapture(const llvm::Function &F, const Effects &Events,
                const UnitContext &Unit);

  /// A reason to decline \p P because of a capture.
  std::optional<Refusal> check(const Pair &P) const;

private:
  const llvm::Function &F;
  const Effects &Events;
  const ModelTable &Models;
  bool InThread = false; ///< another thread of the module may capture
  const Event *SharedStream = nullptr; ///< work in a stream that others know
  const Event *Unknown = nullptr;      ///< what may capture it
  const Event *Captures = nullptr;     ///< what may capture any stream
};

} // namespace echo

#endif
