//===- WorkingFolder.h - Where a program's names begin ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides where a name lies that a program gives, from the folder that it is
// given with, or the process's working folder as it was found last. Asks the
// system for these alone, never of the name itself, and never allocates.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_WORKINGFOLDER_H
#define ECHO_RUNTIME_DR_INTERPOSERS_WORKINGFOLDER_H

#include <stddef.h>

namespace echo::dr {

inline constexpr size_t MostPath = 4096;

/// Asks the system for the working folder: it may be another one now.
void findFolder();

/// Writes into \p Out, of MostPath bytes, where \p Path lies that was given
/// with the folder \p At. False if that cannot be known.
bool wholePath(int At, const char *Path, char *Out);

} // namespace echo::dr

#endif
