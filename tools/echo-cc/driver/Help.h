//===- Help.h - What --help prints ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Echo's own options and daily variables on one screen; all variables and
// nvcc's flags by their own words. What clang says is clang's driver's to
// print.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_HELP_H
#define ECHO_TOOLS_ECHOCC_HELP_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace echo {

/// Prints what a word `--help` or `--help=TOPIC` of \p Args asks for. True: it
/// was printed. False: there is no such word, or clang's driver prints it, to
/// which \p Args then says so. An error names the topics.
llvm::Expected<bool> printHelp(std::vector<std::string> &Args);

} // namespace echo

#endif
