//===- Version.h - What this echo-cc is made of -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `echo-cc --version`: Echo, clang, the CUDA toolkit found and the places of
// all parts, so that a bug report needs nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_VERSION_H
#define ECHO_TOOLS_ECHOCC_VERSION_H

#include "driver/Paths.h"
#include "driver/Toolkit.h"

namespace echo {

/// Prints the version text to stdout.
void printVersion(const Paths &Where, const ToolkitInfo &Toolkit);

} // namespace echo

#endif
