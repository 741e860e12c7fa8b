//===- CopyKinds.cpp - What echort is told of a copy ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CopyKinds.h.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/CopyKinds.h"
#include "Analysis/Events/Effects.h"
#include "Support/Checks.h"
#include "runtime/abi/EchoRt.h"

namespace echo {

uint32_t copyKind(const Event &E, bool ToDevice, bool Pinned) {
  if (!E.Async)
    return ToDevice ? ECHO_COPY_H2D_SYNC : ECHO_COPY_D2H_SYNC;
  if (Pinned)
    return ECHO_COPY_ASYNC_PINNED;
  return ToDevice ? ECHO_COPY_H2D_ASYNC_PAGEABLE : ECHO_COPY_D2H_ASYNC_PAGEABLE;
}

uint32_t orderFlags(uint32_t Kind) {
  static constexpr Check Rules[] = {Check::SyncUpload, Check::SyncDownload,
                                    Check::AsyncUpload, Check::AsyncDownload,
                                    Check::AsyncPinned};
  return isOff(Rules[Kind]) ? ECHO_COPY_IDLE : 0;
}

uint32_t orderOf(const Event &E) {
  return E.waits() ? ECHO_COPY_D2H_SYNC : ECHO_COPY_ASYNC_PINNED;
}

} // namespace echo
