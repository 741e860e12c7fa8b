//===- Commands.h - The subcommands of echo-run -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each subcommand takes. Each has a file of its own, returns the exit
// status, and says on standard error what to do next. Only `run` is ever in the
// user's way, and it never keeps the program from running.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_COMMANDS_H
#define ECHO_TOOLS_ECHO_RUN_COMMANDS_H

#include "Launch.h"
#include "Output.h"

#include "Profile/Energy.h"
#include "Profile/PlanStore.h"
#include "Profile/Trace.h"

namespace echo {

/// A command line as the user gave it.
struct Subject {
  Program P;
  drtool::Launch L;
};
/// Empty if it cannot be started; the error was printed then, and \p Status is
/// echo-run's.
std::optional<Subject> subjectOf(const std::vector<std::string> &Words,
                                 int &Status);
/// The same for a command that makes a plan: only where a plan can hold what
/// runs, and Echo can act in it.
std::optional<Subject> subjectToPlan(const std::vector<std::string> &Words,
                                     int &Status);

struct RunOptions {
  bool Quiet = false; ///< no line of echo-run's own
  std::string Plan;   ///< file; empty: the command's
  /// One window in so many is watched, 0: none; else as ECHO_DR_WATCH says.
  std::optional<unsigned> Watch;
};
int runRun(const RunOptions &O, const std::vector<std::string> &Words);

struct ProfileOptions {
  std::string Output; ///< folder; empty: the command's
  uint64_t TraceBytes = 0;
};
int runProfile(const ProfileOptions &O, const std::vector<std::string> &Words);
/// A file or folder that one echo-run at a time works on.
class Turn {
  int File = -1;

public:
  Turn() = default;
  ~Turn();
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  /// False if another process has it, or it is not there.
  bool take(const std::string &Path);
};

/// Empties \p Folder of traces and notes there what will be profiled. Empty, or
/// what went wrong. Nobody else does the same there as long as \p Mine lives.
std::string prepareTraceFolder(const std::string &Folder,
                               const drtool::Launch &L, Turn &Mine);

/// The error that there is no trace in \p Folder.
std::string noTraceText(const std::string &Folder);

/// The folder that was profiled last, if \p Given is empty. Empty if there is
/// none; the error was printed then.
std::string chosenTraceFolder(const std::string &Given);
/// What was profiled into \p Folder; the launch it notes.
struct Profiled {
  std::vector<drtool::Trace> Traces;
  std::optional<drtool::Launch> L;
  drtool::EnergyLog Energy; ///< empty: nothing was read
};
/// Prints what cannot be read.
Profiled readProfiled(const std::string &Folder);

struct AnalyzeOptions {
  std::string Folder;
  bool Portable = false;
};
int runAnalyze(const AnalyzeOptions &O);
/// Writes the plan that the traces in \p Folder give; prints errors.
std::optional<drtool::Plan> analyzeFolder(const std::string &Folder,
                                          bool Portable, bool Print);

struct ReportOptions {
  std::string Folder;
  bool Json = false;
  std::string Html, Perfetto; ///< files to write
};
int runReport(const ReportOptions &O);

int listPlans();
int showPlan(const std::string &Which);
int removePlans(const std::vector<std::string> &Which, bool All);

} // namespace echo

#endif
