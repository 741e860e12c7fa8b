//===- CudaUse.h - Has the program begun to use CUDA? -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair whose host buffer is allocated first makes echort ask CUDA before the
// program does, and that starts CUDA. A child process that is made later could
// then not use it any more, and what must come before CUDA's start would come
// too late. Decides when echort may be the first, and never starts CUDA itself.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_CUDAUSE_H
#define ECHO_RUNTIME_RT_CUDAUSE_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// True if CUDA was started in this process, as far as the driver says (CUDA
/// Driver API, cuCtxGetCurrent: CUDA_ERROR_NOT_INITIALIZED before cuInit).
bool cudaIsInUse();

/// True if echort may start CUDA for a pair of a group with \p Flags: it is in
/// use, the program starts it next, or no unit of the program makes processes
/// or has calls that must come before.
bool mayStartCuda(uint32_t Flags);

} // namespace echo::rt

#endif
