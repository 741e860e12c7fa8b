//===- Changes.cpp - What fails where a file is not there ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that change a file's mode, owner or times, or make a file of a name
// of their own, and tell by that whether there is something. Each calls the C
// library's own with the program's arguments and returns its result and errno.
// In a profile the look is kept afterwards (Surroundings.cpp); in other modes
// nothing else is done.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/trace/Writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

using namespace echo::dr;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(chmod) each(lchmod) each(fchmodat) each(chown) each(lchown)             \
  each(fchownat) each(utime) each(utimes) each(lutimes) each(futimesat)        \
  each(utimensat) each(pathconf) each(mkfifo) each(mkfifoat) each(ftok)        \
  each(removexattr) each(lremovexattr) each(inotify_add_watch)                 \
  each(mkstemp) each(mkstemp64) each(mkostemp) each(mkostemp64)                \
  each(mkstemps) each(mkstemps64) each(mkostemps) each(mkostemps64)            \
  each(mkdtemp)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

#define CHANGE(result, name, at, parameters, arguments)                        \
  INTERPOSED result name parameters noexcept {                                 \
    NEED(name)                                                                 \
    const result Result = Real.name arguments;                                 \
    lookedAt(at, Path, FileLooked, CALLER);                                    \
    return Result;                                                             \
  }
CHANGE(int, chmod, AT_FDCWD, (const char *Path, mode_t Mode), (Path, Mode))
CHANGE(int, lchmod, AT_FDCWD, (const char *Path, mode_t Mode), (Path, Mode))
CHANGE(int, fchmodat, At, (int At, const char *Path, mode_t Mode, int Flags),
       (At, Path, Mode, Flags))
CHANGE(int, chown, AT_FDCWD, (const char *Path, uid_t User, gid_t Group),
       (Path, User, Group))
CHANGE(int, lchown, AT_FDCWD, (const char *Path, uid_t User, gid_t Group),
       (Path, User, Group))
CHANGE(int, fchownat, At,
       (int At, const char *Path, uid_t User, gid_t Group, int Flags),
       (At, Path, User, Group, Flags))
CHANGE(int, utime, AT_FDCWD, (const char *Path, const utimbuf *To), (Path, To))
CHANGE(int, utimes, AT_FDCWD, (const char *Path, const timeval To[2]),
       (Path, To))
CHANGE(int, lutimes, AT_FDCWD, (const char *Path, const timeval To[2]),
       (Path, To))
CHANGE(int, futimesat, At, (int At, const char *Path, const timeval To[2]),
       (At, Path, To))
CHANGE(int, utimensat, At,
       (int At, const char *Path, const timespec To[2], int Flags),
       (At, Path, To, Flags))
CHANGE(long, pathconf, AT_FDCWD, (const char *Path, int Which), (Path, Which))
CHANGE(int, removexattr, AT_FDCWD, (const char *Path, const char *Name),
       (Path, Name))
CHANGE(int, lremovexattr, AT_FDCWD, (const char *Path, const char *Name),
       (Path, Name))
CHANGE(int, inotify_add_watch, AT_FDCWD,
       (int Watch, const char *Path, uint32_t Mask), (Watch, Path, Mask))

#define MAKE_AT(name, at, parameters, arguments)                               \
  INTERPOSED int name parameters noexcept {                                    \
    NEED(name)                                                                 \
    const int Result = Real.name arguments;                                    \
    lookedAt(at, Path, FileLooked, CALLER);                                    \
    if (__builtin_expect(isRecorded(CALLER), 0) && hidden(Path))               \
      folderAsked(at, Path);                                                   \
    return Result;                                                             \
  }
MAKE_AT(mkfifo, AT_FDCWD, (const char *Path, mode_t Mode), (Path, Mode))
MAKE_AT(mkfifoat, At, (int At, const char *Path, mode_t Mode), (At, Path, Mode))

/// A key made of a file's number and its file system's.
INTERPOSED key_t ftok(const char *Path, int Project) noexcept {
  NEED(ftok)
  const key_t Key = Real.ftok(Path, Project);
  lookedAt(AT_FDCWD, Path, FileStated, CALLER);
  return Key;
}

/// A file of a new name: whether its folder is there shows.
static void madeIn(const char *Template, const void *Caller) {
  if (__builtin_expect(isRecorded(Caller), 0) && hidden(Template))
    folderAsked(AT_FDCWD, Template);
}

#define MAKE(result, name, parameters, arguments)                              \
  INTERPOSED result name parameters {                                          \
    NEED(name)                                                                 \
    result Result = Real.name arguments;                                       \
    madeIn(Path, CALLER);                                                      \
    return Result;                                                             \
  }
MAKE(int, mkstemp, (char *Path), (Path))
MAKE(int, mkstemp64, (char *Path), (Path))
MAKE(int, mkostemp, (char *Path, int Flags), (Path, Flags))
MAKE(int, mkostemp64, (char *Path, int Flags), (Path, Flags))
MAKE(int, mkstemps, (char *Path, int Suffix), (Path, Suffix))
MAKE(int, mkstemps64, (char *Path, int Suffix), (Path, Suffix))
MAKE(int, mkostemps, (char *Path, int Suffix, int Flags), (Path, Suffix, Flags))
MAKE(int, mkostemps64, (char *Path, int Suffix, int Flags),
     (Path, Suffix, Flags))
MAKE(char *, mkdtemp, (char *Path) noexcept, (Path))
