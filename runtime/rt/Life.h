//===- Life.h - Was a device reset since? -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaDeviceReset takes all of CUDA's memory away and tells nobody. A page of
// pinned memory with random content stands for a device's life: while the page
// is there with its content, what was allocated in that life is there, too.
// The blocks themselves are never looked at: with concurrentManagedAccess = 0
// the host must not touch managed memory while the GPU works.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_LIFE_H
#define ECHO_RUNTIME_RT_LIFE_H

#include "runtime/rt/Memory.h"

#include <stdint.h>

namespace echo::rt {

/// The number of \p Device's life, or 0: none began, it ended, or this is a
/// child process. No two lives have the same number.
uint32_t lifeOf(int Device);

/// What became of memory of CUDA's that \p Device got in life \p Life.
Fate fateOf(int Device, uint32_t Life);

/// The same as lifeOf; begins a life if there is none, and calls \p Began with
/// its number. \p Device is the current device, and there is memory of CUDA's
/// on it. 0 if that fails.
uint32_t beginLife(int Device, void (*Began)(int Device, uint32_t Life));

} // namespace echo::rt

#endif
