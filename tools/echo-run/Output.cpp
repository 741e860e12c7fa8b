//===- Output.cpp - What echo-run writes ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Output.h. A line to standard error is one write, so that lines of
// processes that run at a time do not mix.
//
//===----------------------------------------------------------------------===//
#include "Output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace echo {

void say(const std::string &Text) {
  const std::string Line = "echo-run: " + Text + "\n";
  for (size_t At = 0; At < Line.size();) {
    const ssize_t N = write(STDERR_FILENO, Line.data() + At, Line.size() - At);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return;
    At += size_t(N);
  }
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
