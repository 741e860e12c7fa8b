//===- LegacyOrder.h - Whom the legacy stream orders ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The legacy default stream and blocking streams wait for each other, so a copy
// in one of them may follow work that no wait for its stream covers. Decides
// that from the streams that the program has made and used so far, never from
// what a profile saw: a program may use other streams in its next run.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_LEGACYORDER_H
#define ECHO_RUNTIME_DR_OPTIMIZE_LEGACYORDER_H

#include "runtime/dr/Core.h"

namespace echo::dr {

/// Whether \p Stream is the legacy default stream, by either of its handles.
inline bool isLegacy(uint64_t Stream) { return Stream <= 1; }

/// The call \p E is about to run.
void noteStreamUse(const Event &E);

/// A call that is no event, or that allocates or frees in the order of a
/// stream, puts something into \p Stream.
void noteOtherUse(uint64_t Stream);

/// The call \p E has returned \p Status.
void noteStreamMade(const Event &E, int Status);

/// Whether a copy in \p Stream may follow work of other streams that it was not
/// told to wait for. A stream whose creation was not seen is a blocking one.
bool mayFollowOthers(uint64_t Stream);

} // namespace echo::dr

#endif
