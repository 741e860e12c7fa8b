//===- Say.cpp - Lines for people -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written to standard error. Where keepToErrors() was called, to no file that
// has its number since: that one is the program's.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echo::rt {

/// What descriptor 2 was when keepToErrors() was called. The program may close
/// it and open a file of its own, which then has that number.
static dev_t ErrorsDevice;
static ino_t ErrorsInode;
enum { Any, NoErrors, HasErrors };
static int Errors = Any; ///< atomic

void keepToErrors() {
  struct stat S;
  const bool Is = fstat(STDERR_FILENO, &S) == 0;
  if (Is) {
    ErrorsDevice = S.st_dev;
    ErrorsInode = S.st_ino;
  }
  __atomic_store_n(&Errors, Is ? HasErrors : NoErrors, __ATOMIC_RELEASE);
}

/// Whether lines still go where they went at the start.
static bool errorsAreTheSame() {
  const int Kept = __atomic_load_n(&Errors, __ATOMIC_ACQUIRE);
  struct stat S;
  return Kept == Any || (Kept == HasErrors && fstat(STDERR_FILENO, &S) == 0 &&
                         S.st_dev == ErrorsDevice && S.st_ino == ErrorsInode);
}

ssize_t (*SayWith)(int, const void *, size_t) = write;

void say(const char *Format, ...) {
  const int Error = errno;
  if (!errorsAreTheSame()) {
    errno = Error;
    return;
  }
  char Line[1024];
  int Prefix = snprintf(Line, sizeof Line, "echo: ");
  va_list Args;
  va_start(Args, Format);
  int Rest = vsnprintf(Line + Prefix, sizeof Line - Prefix - 1, Format, Args);
  va_end(Args);
  if (Rest < 0)
    return;
  size_t Length = strlen(Line);
  Line[Length++] = '\n';
  ssize_t Written = SayWith(STDERR_FILENO, Line, Length);
  (void)Written; // nothing useful to do without standard error
  errno = Error;
}

} // namespace echo::rt
