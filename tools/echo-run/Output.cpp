//===- Output.cpp - What echo-run writes ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Output.h. A line to standard error is one write, so that lines of
// processes that run at a time do not mix.
//
//===----------------------------------------------------------------------===//
#include "Output.h"

#include "runtime/abi/QuietWrite.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace echo {

static bool IsOpen; ///< a line of Progress, which is not ended yet

static void writeLine(const std::string &Line) {
  for (size_t At = 0; At < Line.size();) {
    const ssize_t N =
        writeQuietly(STDERR_FILENO, Line.data() + At, Line.size() - At);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return;
    At += size_t(N);
  }
}

void say(const std::string &Text) {
  writeLine((IsOpen ? "\r\033[K" : "") + ("echo-run: " + Text + "\n"));
  IsOpen = false;
}

Progress::Progress(const char *What)
    : What(What), OnTerminal(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (IsOpen)
    writeLine("\n");
  IsOpen = false;
}

void Progress::show(const std::string &Text) {
  if (!OnTerminal) {
    if (!Shown)
      say(std::string(What) + ": " + Text);
    Shown = true;
    return;
  }
  winsize Size = {};
  const bool Known =
      ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col > 20;
  std::string Line = std::string("echo-run: ") + What + ": " + Text;
  if (Line.size() >= (Known ? Size.ws_col : 80u))
    Line.resize((Known ? Size.ws_col : 80u) - 1); // it must not wrap
  writeLine((IsOpen ? "\r\033[K" : "") + Line);
  IsOpen = true;
}

static int Failed; ///< errno of the first write that did

void showText(const std::string &Text) {
  if (fwrite(Text.data(), 1, Text.size(), stdout) != Text.size() && !Failed)
    Failed = errno;
}

int afterOutput(int Status) {
  if (fflush(stdout) != 0 && !Failed)
    Failed = errno;
  if (!Failed || Status)
    return Status;
  say(std::string("error: standard output cannot be written: ") +
      strerror(Failed));
  return 1;
}

} // namespace echo
