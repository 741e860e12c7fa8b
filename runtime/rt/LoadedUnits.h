//===- LoadedUnits.h - What the files of the process may do -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The premises of runtime/abi/Premises.def that some file of the process may
// break, from the names that each asks the dynamic linker for
// (runtime/abi/PremiseNames.def). It sees what the link could not: the users of
// a shared library, a program that another linker made, and what was loaded
// since. Of a file that cannot be read every premise counts as broken. CUDA's
// files and the system's are left out. Calls nothing of CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_LOADEDUNITS_H
#define ECHO_RUNTIME_RT_LOADEDUNITS_H

#include <stdint.h>

namespace echo::rt {

/// What echo-cc said of the file that has this echort when it linked it.
enum class Linked : unsigned char {
  ByOthers = 0,  ///< nothing: another linker made it
  AsLibrary = 1, ///< its own units were looked at
  AsProgram = 2, ///< they and the libraries that it needs were
};

Linked howLinked();

/// A mask of ECHO_RELIES_*; what echo-cc found out is not in it.
uint32_t brokenByLoaded();

} // namespace echo::rt

#endif
