//===- Paths.h - Paths that stand for something else ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which paths below /proc and /dev name a file on a disk, a standard
// descriptor, the process's variables, or no file at all; where links lead; and
// what a mode of fopen stands for.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_PATHS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_PATHS_H

#include <stddef.h>

namespace echo::dr {

/// The standard descriptor that \p Path names; -1: none.
int standardNamed(const char *Path);

/// True if \p Path is the list of a process's variables.
bool isEnvironment(const char *Path);

/// True if what \p Path names is in memory of the kernel, or a device.
bool isNoFile(const char *Path);

/// What a process has open, its working folder or its root ("/proc/PID/fd/N",
/// "/dev/fd/N", ".../cwd", ".../root") takes the place of what names it at the
/// start of \p Path, of \p Room bytes; what is no file has no path.
void resolveLink(char *Path, size_t Room);

/// The flags of open(2) that \p Mode of fopen stands for.
int flagsOf(const char *Mode);

/// The process made a symbolic link; whether it made any.
void linkMade();
bool linksMade();
/// Writes into \p Out, of \p Room bytes, where the whole \p Path lies once all
/// its links are followed, or those of as much of it as there is. False if that
/// is \p Path itself, or cannot be known.
bool placeOf(const char *Path, char *Out, size_t Room);

} // namespace echo::dr

#endif
