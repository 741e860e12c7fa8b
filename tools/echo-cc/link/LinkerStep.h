//===- LinkerStep.h - The linker that other compilers call ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `g++ -B<prefix>/lib/echo/ld` calls echo-cc under the name of its linker.
// Where an object of the link has merged pairs, echo-cc adds echort and what it
// found out about the other units, as in its own links; objects for the CPU
// device get that in place of CUDA's libraries. All else is the real linker's.
// A failure of Echo's leaves the link as it was, with one line.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_LINKERSTEP_H
#define ECHO_TOOLS_ECHOCC_LINKERSTEP_H

#include "driver/Paths.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace echo {

/// Whether \p Program, as it was called, is the name of a linker.
bool isLinker(llvm::StringRef Program);

/// Runs the linker of the name \p Args[0] that the machine has, with the other
/// words completed. Returns its exit status.
int linkerStep(llvm::ArrayRef<const char *> Args, const Paths &Where);

} // namespace echo

#endif
