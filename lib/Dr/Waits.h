//===- Waits.h - What work was in flight at each copy -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows each stream's work and what each host thread has waited for: by
// device, stream and event, by queries that succeeded, and by streams that wait
// for events. Says what a copy gave that must remain if no data moves any more.
// Only waits that are certain count: those of the same thread, streams whose
// creation was seen, and no wait that a call merely may perform.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_LIB_DR_WAITS_H
#define ECHO_LIB_DR_WAITS_H

#include "lib/Dr/Buffers.h"
#include "runtime/abi/DrPlan.h"

namespace echo::drtool {

struct CopyOrder {
  bool Busy = false; ///< work of the copy's stream was in flight
  drplan::Wait Needed = drplan::Wait::Device;
};

/// One answer for each of \p History's copies.
std::vector<CopyOrder> followWaits(const Trace &T,
                                   const BufferHistory &History);

} // namespace echo::drtool

#endif
