//===- ReportStream.cpp - Reports that are written on ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of this process is written to as it is open: by its name it would
// be a file that starts anew. See ReportStream.h.
//
//===----------------------------------------------------------------------===//
#include "Report/ReportStream.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace echo;
using namespace llvm;

Error echo::reportError(StringRef Path, const Twine &Reason) {
  return createStringError("cannot write report '" + Path + "': " + Reason);
}

Error echo::reportSystemError(StringRef Path, StringRef Action) {
  return reportError(
      Path, Action + ": " +
                std::error_code(errno, std::generic_category()).message());
}

bool echo::writeAll(int Handle, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Handle, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Text = Text.drop_front(Written);
  }
  return true;
}

Error echo::writeStream(const std::string &Path, StringRef Text) {
  int Handle = Path == "/dev/stdout" ? ::dup(STDOUT_FILENO)
               : Path == "/dev/stderr"
                   ? ::dup(STDERR_FILENO)
                   : ::open(Path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (Handle < 0)
    return reportSystemError(Path, "cannot open it");
  bool Good = writeAll(Handle, Text);
  Error Result =
      Good ? Error::success() : reportSystemError(Path, "write failed");
  ::close(Handle);
  return Result;
}
