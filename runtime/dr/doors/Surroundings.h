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

/// From here on names are kept, once each, with those that were asked for
/// before.
void recordSurroundings();

/// The process uses CUDA: what was kept goes to the trace, and what follows.
/// Other processes leave no trace for it.
void writeSurroundings();
/// Whether it did.
bool surroundingsWritten();

/// In the child of a fork: its own trace, if it has one, begins with what its
/// parent saw.
void surroundingsForked();

} // namespace echo::dr

#endif
