//===- Driver.h - Runs one command line of echo-cc --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates, completes and runs one command line with clang's driver. Every
// error is reported here, in clang's form.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_DRIVER_H
#define ECHO_TOOLS_ECHOCC_DRIVER_H

#include <string>
#include <vector>

namespace echo {

/// Runs echo-cc as \p Argv0 with \p Args (response files expanded). Returns
/// the exit status, clang's where clang ran.
int runDriver(const char *Argv0, std::vector<std::string> Args);

} // namespace echo

#endif
