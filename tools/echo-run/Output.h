//===- Output.h - What echo-run writes --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for people, to standard output and standard error. Neither may be there,
// or take anything: no function here throws or ends the process, since a
// program may have to be run yet. Whether standard output took all of it is
// asked once, at the end.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_OUTPUT_H
#define ECHO_TOOLS_ECHO_RUN_OUTPUT_H

#include <fmt/format.h>

#include <string>

namespace echo {

/// Writes "echo-run: ..." to standard error.
void say(const std::string &Text);

/// Writes \p Text to standard output.
void showText(const std::string &Text);

/// The same, formatted.
template <class... Args>
void show(fmt::format_string<Args...> Format, Args &&...A) {
  showText(fmt::format(Format, std::forward<Args>(A)...));
}

/// How far a command is: on a terminal one line that is written again and
/// again, elsewhere (a file, a job's log) one line, when it is known how much
/// there is to do.
class Progress {
  const char *What;
  bool OnTerminal, Shown = false;

public:
  explicit Progress(const char *What);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void show(const std::string &Text);
};

/// \p Status; but 1, with a line, if that is 0 and standard output did not take
/// all that was written.
int afterOutput(int Status);

} // namespace echo

#endif
