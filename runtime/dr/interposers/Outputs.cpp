//===- Outputs.cpp - What the program asks of its outputs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions by which a program sees what file its standard output or standard
// error is, or where in it: a regular one, a pipe, a device; at its start or
// not. Each calls the C library's own with the program's arguments and returns
// its result and errno. In a profile the question is kept before, as a variable
// that was asked for. Whether it is a terminal is asked in Answers.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/CallWatch.h"
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <fcntl.h>
#include <initializer_list>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace echo::dr;

// What programs call that were linked with a C library before 2.33.
extern "C" int __fxstat(int, int, struct stat *) noexcept;
extern "C" int __fxstat64(int, int, struct stat64 *) noexcept;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(fstat) each(fstat64) each(__fxstat) each(__fxstat64) each(lseek)        \
  each(lseek64) each(fcntl) each(fcntl64) each(ftell) each(ftello)             \
  each(ftello64) each(fseek) each(fseeko) each(fseeko64) each(fgetpos)         \
  each(fgetpos64) each(epoll_ctl) each(__flbf) each(__fbufsize)                \
  each(__fpending)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

/// True if \p Fd is standard descriptor \p Output. In a profile, by any
/// descriptor of its file.
static bool isOutput(int Fd, int Output, const void *Caller) {
  if (Fd <= STDERR_FILENO || __builtin_expect(!isRecorded(Caller), 1))
    return Fd == Output;
  const int Error = errno;
  struct stat Asked, Its;
  const bool Is = syscall(SYS_fstat, Fd, &Asked) == 0 &&
                  syscall(SYS_fstat, Output, &Its) == 0 &&
                  Asked.st_dev == Its.st_dev && Asked.st_ino == Its.st_ino;
  errno = Error;
  return Is;
}

void echo::dr::outputAsked(int Fd, const void *Caller,
                           const char *(*Question)(int Output)) {
  for (const int Output : {STDOUT_FILENO, STDERR_FILENO})
    if (__builtin_expect(isOutput(Fd, Output, Caller), 0))
      variableAsked(Question(Output), Caller);
}

static void streamAsked(FILE *Stream, const void *Caller) {
  if (Stream == stdout || Stream == stderr ||
      __builtin_expect(isRecorded(Caller), 0))
    outputAsked(fileno(Stream), Caller);
}

// By descriptor

#define FSTAT(name, type)                                                      \
  INTERPOSED int name(int Fd, struct type *Out) noexcept {                     \
    outputAsked(Fd, CALLER);                                                   \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    return REAL_OR(name, (Fd, Out), SYS_fstat, Fd, Out);                       \
  }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

// The kernel's layout, which is version 0 or 1, is that of the C library.
#define FXSTAT(name, type)                                                     \
  INTERPOSED int name(int Version, int Fd, struct type *Out) noexcept {        \
    outputAsked(Fd, CALLER);                                                   \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    return REAL_OR(name, (Version, Fd, Out), SYS_fstat, Fd, Out);              \
  }
FXSTAT(__fxstat, stat)
FXSTAT(__fxstat64, stat64)

#define LSEEK(name, type)                                                      \
  INTERPOSED type name(int Fd, type Offset, int From) noexcept {               \
    outputAsked(Fd, CALLER);                                                   \
    return REAL_OR(name, (Fd, Offset, From), SYS_lseek, Fd, Offset, From);     \
  }
LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)

/// What follows the request is a word, the address of some of the system's
/// structures, or nothing that it looks at.
#define FCNTL(name)                                                            \
  INTERPOSED int name(int Fd, int Request, ...) {                              \
    va_list Rest;                                                              \
    va_start(Rest, Request);                                                   \
    void *Argument = va_arg(Rest, void *);                                     \
    va_end(Rest);                                                              \
    if (Request == F_SETLK || Request == F_OFD_SETLK)                          \
      (void)USED_BY(true);                                                     \
    if (asksOfOutput(Request))                                                 \
      outputAsked(Fd, CALLER);                                                 \
    if (Request == F_GETFL && isOutput(Fd, STDIN_FILENO, CALLER))              \
      variableAsked(InputModeQuestion, CALLER);                                \
    kernelUses(Argument, sizeof(struct flock), CALLER);                        \
    return REAL_OR(name, (Fd, Request, Argument), SYS_fcntl, Fd, Request,      \
                   Argument);                                                  \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

/// Whether it can be waited for, files of the disk cannot.
INTERPOSED int epoll_ctl(int Waits, int How, int Fd,
                         epoll_event *For) noexcept {
  outputAsked(Fd, CALLER);
  return REAL_OR(epoll_ctl, (Waits, How, Fd, For), SYS_epoll_ctl, Waits, How,
                 Fd, For);
}

// By stream

#define OF_STREAM(type, name, parameters, arguments)                           \
  INTERPOSED type name parameters {                                            \
    NEED(name)                                                                 \
    streamAsked(Stream, CALLER);                                               \
    return Real.name arguments;                                                \
  }
OF_STREAM(long, ftell, (FILE * Stream), (Stream))
OF_STREAM(off_t, ftello, (FILE * Stream), (Stream))
OF_STREAM(off64_t, ftello64, (FILE * Stream), (Stream))
OF_STREAM(int, fseek, (FILE * Stream, long Offset, int From),
          (Stream, Offset, From))
OF_STREAM(int, fseeko, (FILE * Stream, off_t Offset, int From),
          (Stream, Offset, From))
OF_STREAM(int, fseeko64, (FILE * Stream, off64_t Offset, int From),
          (Stream, Offset, From))
OF_STREAM(int, fgetpos, (FILE * Stream, fpos_t *Out), (Stream, Out))
OF_STREAM(int, fgetpos64, (FILE * Stream, fpos64_t *Out), (Stream, Out))
// How it is buffered says whether it is a terminal.
OF_STREAM(int, __flbf, (FILE * Stream), (Stream))
OF_STREAM(size_t, __fbufsize, (FILE * Stream), (Stream))
OF_STREAM(size_t, __fpending, (FILE * Stream), (Stream))
