//===- Suggest.h - echo-cc --suggest ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds changes of the source with which declined pairs merge, before a command
// compiles: writes them to the files that the user named, and gives them to the
// host jobs, which put them into their reports. What is compiled stays the
// same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_SUGGEST_H
#define ECHO_CC_SUGGEST_SUGGEST_H

#include "driver/Jobs.h"
#include "clang/Driver/Compilation.h"

namespace echo::suggest {

/// What was found for all units of a command.
struct Summary {
  unsigned Declined = 0;  ///< pairs
  unsigned Suggested = 0; ///< of them, with a change
  unsigned Copies = 0;    ///< with a change, that no pair had
};

/// Searches for each CUDA source of \p C, writes \p To (YAML by the ending
/// .yaml, else a unified diff), and edits the host jobs of \p C. A unit that
/// does not compile has no suggestions: its own job says why. Fails where a
/// file cannot be written.
llvm::Expected<Summary> suggest(clang::driver::Compilation &C,
                                const std::vector<std::string> &To,
                                PrivateFiles &Files);

} // namespace echo::suggest

#endif
