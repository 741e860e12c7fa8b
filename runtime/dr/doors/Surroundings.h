//===- Surroundings.h - What the program reads besides memory ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of environment variables that the program asks for, and the files
// that it opens, for a profile: a plan's key is made of them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DOORS_SURROUNDINGS_H
#define ECHO_RUNTIME_DR_DOORS_SURROUNDINGS_H

namespace echo::dr {

/// From here on names are written to the trace, once each, with those that were
/// asked for before.
void recordSurroundings();

/// In the child of a fork: its own trace begins without any.
void surroundingsForked();

} // namespace echo::dr

#endif
