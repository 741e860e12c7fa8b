//===- OwnProcess.h - What this process began with --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A script or a launcher decides what a process gets: arguments, folder,
// standard input, variables, other open files, limits. echo-run sees the script
// alone, so each process records what it has, and compares it with what the
// processes had that were validated. All of it is taken when the library is
// loaded, before code of the program runs. Hashes alone are kept.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OWNPROCESS_H
#define ECHO_RUNTIME_DR_OWNPROCESS_H

#include "runtime/dr/PlanFile.h"

namespace echo::dr {

struct OwnVariable {
  uint64_t Name = 0, Value = 0; ///< hashes
  const char *Text = nullptr;   ///< the name
};

struct OwnProcess {
  bool Known = false;
  uint64_t Arguments = 0, Folder = 0, Input = 0, Inherited = 0, Limits = 0;
  uint8_t Flags = 0; ///< ProcessFlags
  unsigned NumVariables = 0;
  const OwnVariable *Variables = nullptr;
};

/// What ECHO_DR_MODE is, in \p Value; false if it is not set. Also before the C
/// library has the process's variables (.preinit_array).
bool readModeVariable(char *Value, size_t Room);

/// Called once, at the start.
void readOwnProcess(int NumArguments, const char *const *Arguments);
const OwnProcess &ownProcess();

/// Null if \p Own is as one of the processes of \p Plan was; else what is not
/// as in the one that is most like it, in \p Text.
const char *whyNotValidated(const PlanFile &Plan, const OwnProcess &Own,
                            char *Text, size_t Room);

} // namespace echo::dr

#endif
