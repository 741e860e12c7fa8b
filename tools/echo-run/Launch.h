//===- Launch.h - Starts the user's program ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and starts programs, plain or with libecho-dr.so in a mode. The
// program keeps its input, output, signals and exit status; whatever it starts
// inherits the mode. Where Echo cannot act the program runs as it is.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_LAUNCH_H
#define ECHO_TOOLS_ECHO_RUN_LAUNCH_H

#include "CallWatch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace echo {

struct Program {
  std::string Path;               ///< what is started, absolute
  std::vector<std::string> Words; ///< as the user wrote them
  std::vector<std::string> arguments() const {
    return {Words.begin() + 1, Words.end()};
  }
};

/// The exit status of echo-run itself, as of env, nice and others that start
/// programs.
enum : int { Wrong = 2, RunFailed = 125, CannotExecute = 126, NotFound = 127 };

/// Finds \p Words[0] as a shell would. Empty if it cannot be started; \p Why
/// and \p Status say why.
std::optional<Program> findProgram(const std::vector<std::string> &Words,
                                   std::string &Why, int &Status);

/// libecho-dr.so beside this echo-run.
std::string interposerPath();
/// Why the interposer cannot act in a program; empty if it can.
std::string whyNoInterposer();

struct Mode {
  std::string Name;        ///< profile, validate, optimize; empty: without Echo
  std::string Traces;      ///< folder; empty: none
  std::string Plan;        ///< file; empty: none
  uint64_t TraceBytes = 0; ///< 0: the default
  /// Of mode optimize: one window in so many; else as the environment says.
  std::optional<unsigned> Watch;
  /// When what a plan names was compared, in ns since 1970; 0: just now.
  uint64_t Compared = 0;
  std::string Executable; ///< whose system calls are watched; empty: nobody's
};

/// Nanoseconds since 1970.
uint64_t timeOfDay();

/// Becomes the program. Returns, with the exit status, only if that fails.
int becomeProgram(const Program &P, const Mode &M);

struct Ended {
  bool Started = false;
  bool TimedOut = false; ///< it was killed
  int Status = 0;        ///< as waitpid gives it
  double Seconds = 0;
  std::string Output, Errors; ///< what it wrote to its standard files
  std::string Why;            ///< why it could not be run, where that is known
  SeenCalls Calls;            ///< where they were watched
};

/// Runs the program where the user sees it, and passes signals on.
Ended runProgram(const Program &P, const Mode &M);

/// Runs the program again and again, unseen, each time with the same input:
/// what standard input gives, but from a terminal, or where nothing comes
/// within a second, nothing. A pipe that does not end is an error.
class QuietRuns {
  int Input = -1;  ///< standard input, or a copy of it; -1: nothing
  off_t Start = 0; ///< where each run reads it from
  std::string Why; ///< why there is no such copy

  /// Copies standard input to Input until it ends; else says why not. Returns
  /// how many bytes there were.
  off_t keepInput(unsigned Limit);

public:
  /// \p Limit: seconds of silence after which standard input does not end; 0:
  /// the default.
  explicit QuietRuns(unsigned Limit);
  ~QuietRuns();
  /// What each run gets, as a plan's key has it.
  std::string input() const;
  QuietRuns(const QuietRuns &) = delete;
  QuietRuns &operator=(const QuietRuns &) = delete;
  /// \p Limit: seconds after which it is killed, with what it started; 0:
  /// never.
  Ended run(const Program &P, const Mode &M, unsigned Limit = 0) const;
};

/// The signal by which the user asked to stop while a program ran; 0: none.
int interrupted();

/// Takes the lines that begin as Echo's own do out of \p Text, and returns
/// them.
std::string takeOwnLines(std::string &Text);

/// "status 1", "signal 11 (Segmentation fault)".
std::string statusText(int Status);
/// Ends this process as the program ended.
int endLike(int Status);

/// Words as one shell would read them.
std::string shellText(const std::vector<std::string> &Words);

} // namespace echo

#endif
