//===- Waits.h - What work was in flight at each copy -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from a copy's kind and its stream what must remain of it if no data
// moves any more, and never from what the program had waited for by then: that
// may be otherwise in the next run.
//
// Follows each stream's work and what each host thread has waited for: by
// device, stream and event, by queries that succeeded, and by streams that wait
// for events. That says how long a copy itself took.
//
// Says also when work was under way that no wait of any thread had covered.
// Validation passes no pair while there is some, as it may use any buffer:
// that of a library in streams of its own, too, unless events and waits, or the
// legacy stream, order it with what the program waits for.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_WAITS_H
#define ECHO_PROFILE_WAITS_H

#include "Profile/Buffers.h"
#include "Profile/Streams.h"
#include "runtime/abi/DrPlan.h"

namespace echo::drtool {

struct CopyOrder {
  bool Busy = false; ///< work of the copy's stream was in flight
  drplan::Wait Needed = drplan::Wait::Order;
};

struct WaitHistory {
  std::vector<CopyOrder> Copies; ///< one for each of the buffers' history
  /// When a stream had kernels, or sets of a buffer, that were not known to
  /// have ended, in nanoseconds.
  struct Span {
    size_t Stream;
    uint64_t From, Until;
  };
  std::vector<Span> Unended;
};

WaitHistory followWaits(const Trace &T, const BufferHistory &Buffers,
                        const StreamHistory &Streams);

} // namespace echo::drtool

#endif
