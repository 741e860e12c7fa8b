//===- CopyKinds.h - What echort is told of a copy --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the kinds of runtime/abi/EchoRt.h a copy is, from its event alone:
// echort decides by it what order the copy gave, so it must never be a weaker
// one (rule R3).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_COPYKINDS_H
#define ECHO_TRANSFORM_EMIT_COPYKINDS_H

#include <cstdint>

namespace echo {

struct Event;

/// The ECHO_COPY_ kind of the linking copy \p E; \p Pinned: the program pinned
/// its host side.
uint32_t copyKind(const Event &E, bool ToDevice, bool Pinned);

/// The flag that leaves nothing of the order that a copy gave, in a test that
/// turned the rule of its kind off.
uint32_t orderFlags(uint32_t Kind);

/// What copy or set \p E does to the order if it does not fail: one between
/// host and device waits, others take their place in the stream.
uint32_t orderOf(const Event &E);

} // namespace echo

#endif
