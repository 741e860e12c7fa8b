//===- Waits.h - echort's waits for the device ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait that stays where a free of CUDA's is replaced, and the question
// whether anything runs that waits for nothing. Both leave stream captures as
// the program's own call would.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_WAITS_H
#define ECHO_RUNTIME_RT_WAITS_H

#include "runtime/rt/CudaDecls.h"

namespace echo::rt {

/// Waits for all work of \p Device as cudaFree does, and returns what cudaFree
/// would. That is also an error of a capture, after which nothing was waited
/// for, and the program's memory is still there.
cudaError_t waitAsFree(int Device);

/// True if \p Error says that a stream capture forbids the call.
bool isCaptureError(cudaError_t Error);

/// True if the legacy stream may be used now, and CUDA has reported no error
/// that stays. Ends no capture, and leaves no error behind.
bool mayUseLegacyStream();

/// True if no work of the legacy stream and of blocking streams is in flight,
/// and none has failed. Waits for nothing. Leaves no error behind.
bool isIdle();

/// Asks isIdle again until it is so, for a while. Work that waits for the host
/// may never end.
bool becomesIdle();

} // namespace echo::rt

#endif
