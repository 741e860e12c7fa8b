//===- Notes.h - Notes of echo-cc itself ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What echo-cc says that is no diagnostic of a source. A note of clang's must
// follow a diagnostic; these stand alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NOTES_H
#define ECHO_TOOLS_ECHOCC_NOTES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace echo {

/// Prints \p Text on standard error, a line.
inline void printNote(const llvm::Twine &Text) {
  llvm::errs() << "echo-cc: note: " << Text << '\n';
}

} // namespace echo

#endif
