//===- StandIn.h - Ordinary memory in the place of a buffer's ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some calls must find ordinary memory where a mode made it pinned, or made two
// buffers one: a small upload, which returns at once; a copy of a kind that
// CUDA refuses for such memory; a question about the pointer. They get another
// address, so that waits, answers and errors are those of this version of CUDA.
// The program's bytes are never left in a stand-in.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_STANDIN_H
#define ECHO_RUNTIME_DR_OPTIMIZE_STANDIN_H

#include "runtime/dr/Core.h"

namespace echo::dr {

/// An address of ordinary memory that CUDA never hears of.
const void *ordinaryPage();

/// CUDA takes a pageable source of at most so many bytes along when the call is
/// made, and waits for nothing before.
inline constexpr uint64_t MostTakenAlong = 64 << 10;

/// The upload \p E of at most MostTakenAlong bytes is made from ordinary
/// memory that holds its bytes. False: there is none.
bool takeAlong(Event &E);

/// The sides of a copy.
enum CopySides : uint8_t {
  DstHost = 1,
  SrcHost = 2,
  DstDevice = 4,
  SrcDevice = 8,
  /// With SrcHost: the host memory has been read when the call returns, as
  /// pageable memory that is copied to the device is.
  SrcIsRead = 16,
};

/// The copy \p E is made with ordinary host memory, and device memory of its
/// own, at \p Sides; host memory holds what the program's does. False: there is
/// no memory for that, and nothing has changed.
bool standIn(Event &E, uint8_t Sides);
/// The call returned \p Status: the program gets what a stand-in of its
/// destination holds if \p KeepsBytes. Returns the call's status from here on.
int endStandIn(Event &E, int Status, bool KeepsBytes);

/// True if the work in the stream of \p E ends within \p Microseconds. Else it
/// may wait for what the program does after the call.
bool endsWithin(const Event &E, unsigned Microseconds);

} // namespace echo::dr

#endif
