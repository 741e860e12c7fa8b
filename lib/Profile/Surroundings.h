//===- Surroundings.h - What a program's result can depend on ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which files and environment variables are a part of a plan's key,
// from what the traces of a profiled run saw, and whether they are as they
// were. What a trace cannot show is said (PlanContext::Unseen), never guessed.
// No value of a variable is kept, only its hash.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_SURROUNDINGS_H
#define ECHO_PROFILE_SURROUNDINGS_H

#include "Profile/FileInputs.h"
#include "Profile/Plan.h"
#include "Profile/Trace.h"

#include <map>

namespace echo::drtool {

/// Variables of Echo, the terminal, the session and of launchers' numbering,
/// which differ between runs of one command and decide no result.
bool isLeftOut(const std::string &Name);

/// Of the variable's value in this process; 0: it is not set.
uint64_t variableHash(const std::string &Name);

/// What the processes of \p Traces asked for, as it is now. Command, script,
/// arguments and executable of \p C are known already.
void takeSurroundings(PlanContext &C, const std::vector<Trace> &Traces);

/// Puts into the key of \p C the files of \p Opened, with flags of FileFlags,
/// that no trace has, as the program opened them past the C library.
void addOpened(PlanContext &C, const std::map<std::string, uint8_t> &Opened);

/// Whether the process of \p T began as \p P did. \p NoInput: nothing came on
/// the command's standard input.
bool beganAs(const PlanProcess &P, const Trace &T, bool NoInput);

/// Files and variables of \p C as they are here, for a plan of another machine.
void refreshSurroundings(PlanContext &C);

/// What is not as \p C says, one text each: "input.txt has changed since".
std::vector<std::string> changedFiles(const PlanContext &C);
std::vector<std::string> changedVariables(const PlanContext &C);

/// Takes those files out of \p C that are not as they were: the program's own
/// runs changed them. Their paths.
std::vector<std::string> dropChanged(PlanContext &C);

} // namespace echo::drtool

#endif
