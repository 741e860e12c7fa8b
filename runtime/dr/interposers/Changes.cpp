//===- Changes.cpp - What changes a file by its name ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that make, remove or rename a file, or change its mode, owner,
// times or size. They fail where something is there, or is not: each is a look,
// too. Each calls the C library's own with the program's arguments and returns
// its result and errno. In a profile the look is kept afterwards
// (Surroundings.cpp), and that the name changed, since what is left at it is
// compared. In a validated run what makes a name is an attempt at a lock
// (IoUse.h). IoStates.cpp has those that set attributes.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Paths.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

using namespace echo::dr;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(chmod) each(lchmod) each(fchmodat) each(chown) each(lchown)             \
  each(fchmod) each(fchown) each(futimes) each(fremovexattr)                   \
  each(fchownat) each(utime) each(utimes) each(lutimes) each(futimesat)        \
  each(utimensat) each(pathconf) each(mkfifo) each(mkfifoat) each(mknod)       \
  each(mknodat) each(ftok)                                                     \
  each(removexattr) each(lremovexattr) each(inotify_add_watch) each(mkstemp)   \
  each(mkstemp64) each(mkostemp) each(mkostemp64) each(mkstemps)               \
  each(mkstemps64) each(mkostemps) each(mkostemps64) each(mkdtemp)             \
  each(mkdir) each(mkdirat) each(rmdir) each(unlink) each(unlinkat)            \
  each(remove) each(link) each(linkat) each(symlink) each(symlinkat)           \
  each(rename) each(renameat) each(renameat2) each(truncate)                   \
  each(truncate64)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

void echo::dr::descriptorChanged(int Fd, int Status, const void *Caller) {
  if (__builtin_expect(!isRecorded(Caller), 1) || Status != 0)
    return;
  char Name[40];
  snprintf(Name, sizeof Name, "/proc/self/fd/%d", Fd);
  fileAsked(AT_FDCWD, Name, FileChanged);
}

/// After a change that gave \p Status: a look, and \p Done where it was done.
static int changed(int At, const char *Path, uint8_t Done, int Status,
                   const void *Caller) {
  lookedAt(At, Path, FileLooked, Caller);
  if (Status == 0 && Done)
    lookedAt(At, Path, Done, Caller);
  nameChanged(At, Path, Status, Caller);
  return Status;
}

/// The same of what makes a name: whether it can be made, its folder says, too.
/// \p Done: FileWritten of a file's, FileMade of what is no file.
static int made(int At, const char *Path, uint8_t Done, int Status,
                const void *Caller) {
  (void)usedBy(true, Caller); // as a lock that others may have
  const bool Records = __builtin_expect(isRecorded(Caller), 0) && hidden(Path);
  if (Records)
    folderAsked(At, Path);
  (void)changed(At, Path, Done, Status, Caller);
  if (Records && Status == 0)
    fileMade(At, Path);
  return Status;
}

#define ASK(result, name, parameters, arguments)                               \
  INTERPOSED result name parameters noexcept {                                 \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    const result Result = Real.name arguments;                                 \
    lookedAt(AT_FDCWD, Path, FileLooked, CALLER);                              \
    return Result;                                                             \
  }
ASK(long, pathconf, (const char *Path, int Which), (Path, Which))
ASK(int, inotify_add_watch, (int Watch, const char *Path, uint32_t Mask),
    (Watch, Path, Mask))

#define CHANGE(name, at, parameters, arguments)                                \
  INTERPOSED int name parameters noexcept {                                    \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    return changed(at, Path, 0, Real.name arguments, CALLER);                  \
  }
CHANGE(chmod, AT_FDCWD, (const char *Path, mode_t Mode), (Path, Mode))
CHANGE(lchmod, AT_FDCWD, (const char *Path, mode_t Mode), (Path, Mode))
CHANGE(fchmodat, At, (int At, const char *Path, mode_t Mode, int Flags),
       (At, Path, Mode, Flags))
CHANGE(chown, AT_FDCWD, (const char *Path, uid_t User, gid_t Group),
       (Path, User, Group))
CHANGE(lchown, AT_FDCWD, (const char *Path, uid_t User, gid_t Group),
       (Path, User, Group))
CHANGE(fchownat, At,
       (int At, const char *Path, uid_t User, gid_t Group, int Flags),
       (At, Path, User, Group, Flags))
CHANGE(utime, AT_FDCWD, (const char *Path, const utimbuf *To), (Path, To))
CHANGE(utimes, AT_FDCWD, (const char *Path, const timeval To[2]), (Path, To))
CHANGE(lutimes, AT_FDCWD, (const char *Path, const timeval To[2]), (Path, To))
CHANGE(futimesat, At, (int At, const char *Path, const timeval To[2]),
       (At, Path, To))
CHANGE(removexattr, AT_FDCWD, (const char *Path, const char *Name),
       (Path, Name))
CHANGE(lremovexattr, AT_FDCWD, (const char *Path, const char *Name),
       (Path, Name))

#define CHANGE_OPEN(name, parameters, arguments)                               \
  INTERPOSED int name parameters noexcept {                                    \
    NEED(name)                                                                 \
    const int Status = Real.name arguments;                                    \
    descriptorChanged(Fd, Status, CALLER);                                     \
    return Status;                                                             \
  }
CHANGE_OPEN(fchmod, (int Fd, mode_t Mode), (Fd, Mode))
CHANGE_OPEN(fchown, (int Fd, uid_t User, gid_t Group), (Fd, User, Group))
CHANGE_OPEN(futimes, (int Fd, const timeval To[2]), (Fd, To))
CHANGE_OPEN(fremovexattr, (int Fd, const char *Name), (Fd, Name))

INTERPOSED int utimensat(int At, const char *Path, const timespec To[2],
                         int Flags) noexcept {
  NEED(utimensat)
  pathUsed(Path, CALLER);
  kernelUses(hidden(To), 2 * sizeof *To, CALLER);
  const int Status = Real.utimensat(At, Path, To, Flags);
  if (!hidden(Path)) // the file that is open as At
    descriptorChanged(At, Status, CALLER);
  return changed(At, Path, 0, Status, CALLER);
}

/// A key made of a file's number and its file system's.
INTERPOSED key_t ftok(const char *Path, int Project) noexcept {
  pathUsed(Path, CALLER);
  NEED(ftok)
  const key_t Key = Real.ftok(Path, Project);
  lookedAt(AT_FDCWD, Path, FileStated, CALLER);
  return Key;
}

INTERPOSED int mkdir(const char *Path, mode_t Mode) noexcept {
  pathUsed(Path, CALLER);
  return made(AT_FDCWD, Path, FileMade,
              REAL_OR(mkdir, (Path, Mode), SYS_mkdirat, AT_FDCWD, Path, Mode),
              CALLER);
}

INTERPOSED int mkdirat(int At, const char *Path, mode_t Mode) noexcept {
  pathUsed(Path, CALLER);
  return made(At, Path, FileMade,
              REAL_OR(mkdirat, (At, Path, Mode), SYS_mkdirat, At, Path, Mode),
              CALLER);
}

INTERPOSED int mkfifo(const char *Path, mode_t Mode) noexcept {
  pathUsed(Path, CALLER);
  NEED(mkfifo)
  return made(AT_FDCWD, Path, FileMade, Real.mkfifo(Path, Mode), CALLER);
}

INTERPOSED int mkfifoat(int At, const char *Path, mode_t Mode) noexcept {
  pathUsed(Path, CALLER);
  NEED(mkfifoat)
  return made(At, Path, FileMade, Real.mkfifoat(At, Path, Mode), CALLER);
}

INTERPOSED int mknod(const char *Path, mode_t Mode, dev_t Device) noexcept {
  pathUsed(Path, CALLER);
  NEED(mknod)
  return made(AT_FDCWD, Path, FileMade, Real.mknod(Path, Mode, Device), CALLER);
}

INTERPOSED int mknodat(int At, const char *Path, mode_t Mode,
                       dev_t Device) noexcept {
  pathUsed(Path, CALLER);
  NEED(mknodat)
  return made(At, Path, FileMade, Real.mknodat(At, Path, Mode, Device), CALLER);
}

INTERPOSED int rmdir(const char *Path) noexcept {
  pathUsed(Path, CALLER);
  return changed(
      AT_FDCWD, Path, FileRemoved,
      REAL_OR(rmdir, (Path), SYS_unlinkat, AT_FDCWD, Path, AT_REMOVEDIR),
      CALLER);
}

INTERPOSED int unlink(const char *Path) noexcept {
  pathUsed(Path, CALLER);
  return changed(AT_FDCWD, Path, FileRemoved,
                 REAL_OR(unlink, (Path), SYS_unlinkat, AT_FDCWD, Path, 0),
                 CALLER);
}

INTERPOSED int unlinkat(int At, const char *Path, int Flags) noexcept {
  pathUsed(Path, CALLER);
  return changed(
      At, Path, FileRemoved,
      REAL_OR(unlinkat, (At, Path, Flags), SYS_unlinkat, At, Path, Flags),
      CALLER);
}

INTERPOSED int remove(const char *Path) noexcept {
  pathUsed(Path, CALLER);
  NEED(remove)
  return changed(AT_FDCWD, Path, FileRemoved, Real.remove(Path), CALLER);
}

/// A further name of a file.
static int linked(int FromAt, const char *From, int At, const char *To,
                  int Status, const void *Caller) {
  (void)made(At, To, FileWritten, Status, Caller);
  if (__builtin_expect(isRecorded(Caller), 0) && Status == 0)
    fileLinked(FromAt, From, At, To);
  return Status;
}

INTERPOSED int link(const char *From, const char *To) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  const int Status =
      REAL_OR(link, (From, To), SYS_linkat, AT_FDCWD, From, AT_FDCWD, To, 0);
  (void)changed(AT_FDCWD, From, 0, Status, CALLER);
  return linked(AT_FDCWD, From, AT_FDCWD, To, Status, CALLER);
}

INTERPOSED int linkat(int FromAt, const char *From, int At, const char *To,
                      int Flags) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  const int Status = REAL_OR(linkat, (FromAt, From, At, To, Flags), SYS_linkat,
                             FromAt, From, At, To, Flags);
  return linked(FromAt, From, At, To, Status, CALLER);
}

/// A link, made at \p To.
static int leads(int At, const char *To, int Status, const void *Caller) {
  if (__builtin_expect(isRecorded(Caller), 0) && Status == 0)
    linkMade();
  return made(At, To, FileMade, Status, Caller);
}

INTERPOSED int symlink(const char *From, const char *To) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  return leads(AT_FDCWD, To,
               REAL_OR(symlink, (From, To), SYS_symlinkat, From, AT_FDCWD, To),
               CALLER);
}

INTERPOSED int symlinkat(const char *From, int At, const char *To) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  return leads(At, To,
               REAL_OR(symlinkat, (From, At, To), SYS_symlinkat, From, At, To),
               CALLER);
}

/// What was written under another name.
static int renamed(int FromAt, const char *From, int At, const char *To,
                   bool Asks, int Status, const void *Caller) {
  if (__builtin_expect(isRecorded(Caller), 0)) {
    fileAsked(FromAt, From, FileLooked);
    folderAsked(At, To);
    if (Asks)
      fileAsked(At, To, FileLooked);
    if (Status == 0) {
      fileAsked(At, To, FileWritten);
      fileMoved(FromAt, From, At, To);
    }
  }
  nameChanged(FromAt, From, Status, Caller);
  nameChanged(At, To, Status, Caller);
  return Status;
}

INTERPOSED int rename(const char *From, const char *To) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  NEED(rename)
  return renamed(AT_FDCWD, From, AT_FDCWD, To, false, Real.rename(From, To),
                 CALLER);
}

INTERPOSED int renameat(int FromAt, const char *From, int At,
                        const char *To) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  NEED(renameat)
  return renamed(FromAt, From, At, To, false,
                 Real.renameat(FromAt, From, At, To), CALLER);
}

INTERPOSED int renameat2(int FromAt, const char *From, int At, const char *To,
                         unsigned Flags) noexcept {
  pathUsed(From, CALLER);
  pathUsed(To, CALLER);
  const int Status = REAL_OR(renameat2, (FromAt, From, At, To, Flags),
                             SYS_renameat2, FromAt, From, At, To, Flags);
  if (Status == 0 && Flags & RENAME_EXCHANGE) // what it holds is not its own
    lookedAt(FromAt, From, FileLooked | FileWritten, CALLER);
  return renamed(FromAt, From, At, To, Flags != 0, Status, CALLER);
}

#define TRUNCATE(name, type)                                                   \
  INTERPOSED int name(const char *Path, type Bytes) noexcept {                 \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    return changed(AT_FDCWD, Path, FileWritten, Real.name(Path, Bytes),        \
                   CALLER);                                                    \
  }
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

/// A file of a new name: whether its folder is there shows.
static void madeIn(const char *Template, bool IsMade, const void *Caller) {
  if (!__builtin_expect(isRecorded(Caller), 0) || !hidden(Template))
    return;
  folderAsked(AT_FDCWD, Template);
  if (IsMade)
    contentsMade(AT_FDCWD, Template);
}

static bool isFile(int Fd) { return Fd >= 0; }
static bool isFile(const char *) { return false; } // a folder, or nothing

#define MAKE(result, name, parameters, arguments)                              \
  INTERPOSED result name parameters {                                          \
    NEED(name)                                                                 \
    result Result = Real.name arguments;                                       \
    madeIn(Path, isFile(Result), CALLER);                                      \
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
