//===- CallWatch.h - Words between watcher and watched ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a program is validated, echo-run is asked about a few of its system
// calls (tools/echo-run/CallWatch.h). libecho-dr.so has to know whether it is,
// and its own opening of files need not be asked about. Both are told by words
// in arguments that the system looks at in no such call.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CALLWATCH_H
#define ECHO_RUNTIME_ABI_CALLWATCH_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

/// The fifth argument of a call that has four at most: libecho-dr.so opens the
/// file, or asks what standard input is.
inline constexpr unsigned OwnCall = 0x4563686f;

/// fstat and lseek(Fd, 0, SEEK_CUR), asked by Echo and not by the program.
inline bool ownLook(int Fd, struct stat &S) {
  return syscall(SYS_newfstatat, Fd, "", &S, AT_EMPTY_PATH, OwnCall) == 0;
}
inline long ownPlace(int Fd) {
  return syscall(SYS_lseek, Fd, 0, SEEK_CUR, 0, OwnCall);
}

/// True if both outputs are one file, as with 2>&1 or at a terminal.
inline bool outputsAreOne() {
  struct stat Output, Errors;
  return ownLook(STDOUT_FILENO, Output) && ownLook(STDERR_FILENO, Errors) &&
         Output.st_dev == Errors.st_dev && Output.st_ino == Errors.st_ino;
}

/// TCGETS2 of the kernel's header, which cannot stand beside the C library's.
inline constexpr unsigned long GetTermios2 = 0x802c542a;

/// True if fcntl's \p Request asks what an output is: libecho-dr.so keeps that
/// as a question, so that echo-run need not.
inline bool asksOfOutput(int Request) {
  return Request == F_GETFL || Request == F_GETFD || Request == F_GETPIPE_SZ;
}

/// process_vm_readv(0, null, ProbeWord, null, 0, 0): where calls are watched it
/// gives ProbeAnswer; else the system refuses so many parts.
inline constexpr unsigned ProbeWord = 0x63616c6c, ProbeAnswer = 0x7365656e;

} // namespace echo::dr

#endif
