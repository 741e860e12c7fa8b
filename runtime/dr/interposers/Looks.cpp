//===- Looks.cpp - What the program learns of files without open ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that say whether a file is there, how large or old it is, what
// is in a folder, where a link leads to. Each calls the C library's own with
// the program's arguments and returns its result and errno. In a profile the
// look is kept afterwards (Surroundings.cpp); in other modes nothing else is
// done. What the C library asks by itself is not seen.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Paths.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/trace/Writer.h"
#include "runtime/dr/validate/IoUse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <nl_types.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace echo::dr;

// What _FORTIFY_SOURCE calls: the C library ends the program where its own
// finds too little room.
extern "C" ssize_t __readlink_chk(const char *, char *, size_t, size_t);
extern "C" ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);
extern "C" char *__realpath_chk(const char *, char *, size_t);
// What programs call that were linked with a C library before 2.33.
extern "C" int __xstat(int, const char *, struct stat *) noexcept;
extern "C" int __lxstat(int, const char *, struct stat *) noexcept;
extern "C" int __xstat64(int, const char *, struct stat64 *) noexcept;
extern "C" int __lxstat64(int, const char *, struct stat64 *) noexcept;
extern "C" int __fxstatat(int, int, const char *, struct stat *, int) noexcept;
extern "C" int __fxstatat64(int, int, const char *, struct stat64 *,
                            int) noexcept;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(__xstat) each(__lxstat) each(__xstat64) each(__lxstat64)                \
  each(__fxstatat) each(__fxstatat64) each(stat) each(lstat) each(fstatat)     \
  each(stat64) each(lstat64) each(fstatat64) each(statx) each(access)          \
  each(faccessat) each(euidaccess) each(eaccess) each(readlink)                \
  each(readlinkat) each(__readlink_chk) each(__readlinkat_chk)                 \
  each(realpath) each(__realpath_chk) each(canonicalize_file_name)             \
  each(opendir) each(catopen) each(fdopendir) each(scandir) each(scandir64)    \
  each(scandirat) each(scandirat64) each(glob) each(glob64) each(ftw)          \
  each(ftw64) each(nftw) each(nftw64) each(fts_open) each(shm_open)            \
  each(shm_unlink) each(sem_open) each(statfs) each(statfs64) each(statvfs)    \
  each(statvfs64) each(get_current_dir_name)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

/// A look at a standard descriptor by its name is a question of it: one of
/// standard input shows to echo-run, which watches the calls of a validated
/// run.
static void standardLooked(const char *Path, const void *Caller) {
  const int Fd = standardNamed(Path);
  if (Fd == 0 && mode() == Mode::Validate) {
    const int Error = errno;
    lseek(0, 0, SEEK_CUR);
    errno = Error;
  } else if (const char *Name = terminalName(Fd)) {
    variableAsked(Name, Caller);
    variableAsked(outputName(Fd), Caller);
  }
}

/// After a look that gave \p Status: what there is, or that there is nothing.
template <class R>
static R looked(int At, const char *Path, uint8_t Flags, R Result,
                const void *Caller) {
  if (hidden(Path) && *Path == '/')
    standardLooked(Path, Caller);
  else if (hidden(Path) && !*Path) // with AT_EMPTY_PATH a question of At
    outputAsked(At, Caller);
  lookedAt(At, Path, Flags, Caller);
  return Result;
}

// stat

/// One that does not follow links learns that there is none.
static int statNoted(int At, const char *Path, int Flags, int Status,
                     const void *Caller) {
  return looked(At, Path,
                Flags & AT_SYMLINK_NOFOLLOW ? FileStated | FileLink
                                            : FileStated,
                Status, Caller);
}

#define STAT(name, type, flags)                                                \
  INTERPOSED int name(const char *Path, struct type *Out) noexcept {           \
    pathUsed(Path, CALLER);                                                    \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    const int Status = REAL_OR(name, (Path, Out), SYS_newfstatat, AT_FDCWD,    \
                               Path, Out, flags);                              \
    return statNoted(AT_FDCWD, Path, flags, Status, CALLER);                   \
  }
STAT(stat, stat, 0)
STAT(lstat, stat, AT_SYMLINK_NOFOLLOW)
STAT(stat64, stat64, 0)
STAT(lstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define FSTATAT(name, type)                                                    \
  INTERPOSED int name(int At, const char *Path, struct type *Out,              \
                      int Flags) noexcept {                                    \
    pathUsed(Path, CALLER);                                                    \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    const int Status = REAL_OR(name, (At, Path, Out, Flags), SYS_newfstatat,   \
                               At, Path, Out, Flags);                          \
    return statNoted(At, Path, Flags, Status, CALLER);                         \
  }
FSTATAT(fstatat, stat)
FSTATAT(fstatat64, stat64)

// The kernel's layout, which is version 0 or 1, is that of the C library.
#define XSTAT(name, type, flags)                                               \
  INTERPOSED int name(int Version, const char *Path,                           \
                      struct type *Out) noexcept {                             \
    pathUsed(Path, CALLER);                                                    \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    const int Status = REAL_OR(name, (Version, Path, Out), SYS_newfstatat,     \
                               AT_FDCWD, Path, Out, flags);                    \
    return statNoted(AT_FDCWD, Path, flags, Status, CALLER);                   \
  }
XSTAT(__xstat, stat, 0)
XSTAT(__lxstat, stat, AT_SYMLINK_NOFOLLOW)
XSTAT(__xstat64, stat64, 0)
XSTAT(__lxstat64, stat64, AT_SYMLINK_NOFOLLOW)

#define FXSTATAT(name, type)                                                   \
  INTERPOSED int name(int Version, int At, const char *Path, struct type *Out, \
                      int Flags) noexcept {                                    \
    pathUsed(Path, CALLER);                                                    \
    kernelUses(Out, sizeof(struct type), CALLER);                              \
    const int Status = REAL_OR(name, (Version, At, Path, Out, Flags),          \
                               SYS_newfstatat, At, Path, Out, Flags);          \
    return statNoted(At, Path, Flags, Status, CALLER);                         \
  }
FXSTATAT(__fxstatat, stat)
FXSTATAT(__fxstatat64, stat64)

INTERPOSED int statx(int At, const char *Path, int Flags, unsigned Mask,
                     struct statx *Out) noexcept {
  pathUsed(Path, CALLER);
  kernelUses(Out, sizeof(struct statx), CALLER);
  const int Status = REAL_OR(statx, (At, Path, Flags, Mask, Out), SYS_statx, At,
                             Path, Flags, Mask, Out);
  return statNoted(At, Path, Flags, Status, CALLER);
}

// access

#define ACCESS(name)                                                           \
  INTERPOSED int name(const char *Path, int Mode) noexcept {                   \
    pathUsed(Path, CALLER);                                                    \
    return looked(                                                             \
        AT_FDCWD, Path, FileLooked,                                            \
        REAL_OR(name, (Path, Mode), SYS_faccessat, AT_FDCWD, Path, Mode),      \
        CALLER);                                                               \
  }
ACCESS(access)
ACCESS(euidaccess)
ACCESS(eaccess)

INTERPOSED int faccessat(int At, const char *Path, int Mode,
                         int Flags) noexcept {
  pathUsed(Path, CALLER);
  return looked(At, Path, FileLooked,
                REAL_OR(faccessat, (At, Path, Mode, Flags), SYS_faccessat, At,
                        Path, Mode),
                CALLER);
}

// Links

static ssize_t linkAt(int At, const char *Path, char *Out, size_t Bytes) {
  return syscall(SYS_readlinkat, At, Path, Out, Bytes);
}

INTERPOSED ssize_t readlink(const char *Path, char *Out,
                            size_t Bytes) noexcept {
  pathUsed(Path, CALLER);
  kernelUses(Out, Bytes, CALLER);
  return looked(AT_FDCWD, Path, FileLink,
                Real.readlink ? Real.readlink(Path, Out, Bytes)
                              : linkAt(AT_FDCWD, Path, Out, Bytes),
                CALLER);
}

INTERPOSED ssize_t readlinkat(int At, const char *Path, char *Out,
                              size_t Bytes) noexcept {
  pathUsed(Path, CALLER);
  kernelUses(Out, Bytes, CALLER);
  return looked(At, Path, FileLink,
                Real.readlinkat ? Real.readlinkat(At, Path, Out, Bytes)
                                : linkAt(At, Path, Out, Bytes),
                CALLER);
}

INTERPOSED ssize_t __readlink_chk(const char *Path, char *Out, size_t Bytes,
                                  size_t Room) {
  pathUsed(Path, CALLER);
  kernelUses(Out, Bytes, CALLER);
  return looked(AT_FDCWD, Path, FileLink,
                Real.__readlink_chk
                    ? Real.__readlink_chk(Path, Out, Bytes, Room)
                    : linkAt(AT_FDCWD, Path, Out, Bytes < Room ? Bytes : Room),
                CALLER);
}

INTERPOSED ssize_t __readlinkat_chk(int At, const char *Path, char *Out,
                                    size_t Bytes, size_t Room) {
  pathUsed(Path, CALLER);
  kernelUses(Out, Bytes, CALLER);
  return looked(At, Path, FileLink,
                Real.__readlinkat_chk
                    ? Real.__readlinkat_chk(At, Path, Out, Bytes, Room)
                    : linkAt(At, Path, Out, Bytes < Room ? Bytes : Room),
                CALLER);
}

INTERPOSED char *realpath(const char *Path, char *Out) noexcept {
  // The C library's default version, not the one of 2.0 that takes no null.
  NEED(realpath)
  return looked(AT_FDCWD, Path, FileLink, Real.realpath(Path, Out), CALLER);
}

INTERPOSED char *__realpath_chk(const char *Path, char *Out, size_t Room) {
  NEED(__realpath_chk)
  return looked(AT_FDCWD, Path, FileLink, Real.__realpath_chk(Path, Out, Room),
                CALLER);
}

INTERPOSED char *canonicalize_file_name(const char *Path) noexcept {
  NEED(canonicalize_file_name)
  return looked(AT_FDCWD, Path, FileLink, Real.canonicalize_file_name(Path),
                CALLER);
}

/// A catalog of messages, where it is given by its path.
INTERPOSED nl_catd catopen(const char *Path, int Flags) {
  NEED(catopen)
  if (hidden(Path) && strchr(Path, '/'))
    lookedAt(AT_FDCWD, Path, FileRead, CALLER);
  return Real.catopen(Path, Flags);
}

// Folders

INTERPOSED DIR *opendir(const char *Path) {
  pathUsed(Path, CALLER);
  NEED(opendir)
  return looked(AT_FDCWD, Path, FileListed, Real.opendir(Path), CALLER);
}

void echo::dr::folderListed(int Fd, const void *Caller) {
  if (__builtin_expect(!isRecorded(Caller), 1))
    return;
  char Name[40];
  snprintf(Name, sizeof Name, "/proc/self/fd/%d", Fd);
  fileAsked(AT_FDCWD, Name, FileListed);
}

INTERPOSED DIR *fdopendir(int Fd) {
  NEED(fdopendir)
  DIR *Folder = Real.fdopendir(Fd);
  folderListed(Fd, CALLER);
  return Folder;
}

#define SCANDIR(name, entry)                                                   \
  INTERPOSED int name(const char *Path, entry ***Out,                          \
                      int (*Wants)(const entry *),                             \
                      int (*Order)(const entry **, const entry **)) {          \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    return looked(AT_FDCWD, Path, FileListed,                                  \
                  Real.name(Path, Out, Wants, Order), CALLER);                 \
  }
SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

#define SCANDIRAT(name, entry)                                                 \
  INTERPOSED int name(int At, const char *Path, entry ***Out,                  \
                      int (*Wants)(const entry *),                             \
                      int (*Order)(const entry **, const entry **)) {          \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    return looked(At, Path, FileListed,                                        \
                  Real.name(At, Path, Out, Wants, Order), CALLER);             \
  }
SCANDIRAT(scandirat, dirent)
SCANDIRAT(scandirat64, dirent64)

/// A pattern of names in one folder is that folder's listing; where folders are
/// patterns themselves, or it goes through a tree, more is listed than is kept.
static void globbed(const char *Pattern) {
  char Folder[4096];
  const size_t Plain = strcspn(Pattern, "*?[{~");
  if (!Pattern[Plain])
    return fileAsked(AT_FDCWD, Pattern, FileLooked);
  if (Plain >= sizeof Folder || strchr(Pattern + Plain, '/') ||
      strpbrk(Pattern + Plain, "{~"))
    return fileAsked(AT_FDCWD, "", FileListed);
  memcpy(Folder, Pattern, Plain);
  Folder[Plain] = 0;
  char *Slash = strrchr(Folder, '/');
  if (!Slash)
    return fileAsked(AT_FDCWD, ".", FileListed);
  Slash[Slash == Folder ? 1 : 0] = 0;
  fileAsked(AT_FDCWD, Folder, FileListed);
}

#define GLOB(name, type)                                                       \
  INTERPOSED int name(const char *Pattern, int Flags,                          \
                      int (*Failed)(const char *, int), type *Out) noexcept {  \
    NEED(name)                                                                 \
    const int Status = Real.name(Pattern, Flags, Failed, Out);                 \
    if (__builtin_expect(isRecorded(CALLER), 0) && hidden(Pattern))            \
      globbed(Pattern);                                                        \
    return Status;                                                             \
  }
GLOB(glob, glob_t)
GLOB(glob64, glob64_t)

static void walked(const void *Caller) {
  if (__builtin_expect(isRecorded(Caller), 0))
    fileAsked(AT_FDCWD, "", FileListed);
}

#define FTW(name, function)                                                    \
  INTERPOSED int name(const char *Path, function Visit, int Most) {            \
    NEED(name)                                                                 \
    walked(CALLER);                                                            \
    return Real.name(Path, Visit, Most);                                       \
  }
FTW(ftw, __ftw_func_t)
FTW(ftw64, __ftw64_func_t)

#define NFTW(name, function)                                                   \
  INTERPOSED int name(const char *Path, function Visit, int Most, int Flags) { \
    NEED(name)                                                                 \
    walked(CALLER);                                                            \
    return Real.name(Path, Visit, Most, Flags);                                \
  }
NFTW(nftw, __nftw_func_t)
NFTW(nftw64, __nftw64_func_t)

INTERPOSED FTS *fts_open(char *const *Paths, int Options,
                         int (*Order)(const FTSENT **, const FTSENT **)) {
  NEED(fts_open)
  walked(CALLER);
  return Real.fts_open(Paths, Options, Order);
}

// Shared memory by name is a file in /dev/shm.

/// Writes the path of object \p Name, of the kind that \p Prefix says, to
/// \p Path. False if there is no room.
static bool sharedPath(const char *Prefix, const char *Name,
                       char (&Path)[300]) {
  const int Length = snprintf(Path, sizeof Path, "/dev/shm/%s%s", Prefix,
                              Name + strspn(Name, "/"));
  return Length > 0 && static_cast<size_t>(Length) < sizeof Path;
}

INTERPOSED int shm_open(const char *Name, int Flags, mode_t Mode) {
  NEED(shm_open)
  if (!Real.shm_open) {
    errno = ENOSYS;
    return -1;
  }
  const int Fd = Real.shm_open(Name, Flags, Mode);
  char Path[300];
  if (__builtin_expect(isRecorded(CALLER), 0) && hidden(Name) &&
      sharedPath("", Name, Path)) {
    fileOpened(AT_FDCWD, Path, Flags, Fd);
    if (Fd >= 0 && Flags & O_CREAT)
      fileAsked(AT_FDCWD, Path, FileChanged);
  }
  return Fd;
}

/// Whether there is a semaphore of this name already.
INTERPOSED sem_t *sem_open(const char *Name, int Flags, ...) noexcept {
  NEED(sem_open)
  va_list Rest;
  va_start(Rest, Flags);
  const auto Mode = Flags & O_CREAT ? va_arg(Rest, mode_t) : mode_t();
  const unsigned Value = Flags & O_CREAT ? va_arg(Rest, unsigned) : 0;
  va_end(Rest);
  char Path[300];
  if (__builtin_expect(isRecorded(CALLER), 0) && hidden(Name) &&
      sharedPath("sem.", Name, Path)) {
    fileAsked(AT_FDCWD, Path, FileLooked);
    if (Flags & O_CREAT)
      fileAsked(AT_FDCWD, Path, FileChanged);
  }
  if (!Real.sem_open) {
    errno = ENOSYS;
    return SEM_FAILED;
  }
  return Real.sem_open(Name, Flags, Mode, Value);
}

#define FILE_SYSTEM(name)                                                      \
  INTERPOSED int name(const char *Path, struct name *Out) noexcept {           \
    pathUsed(Path, CALLER);                                                    \
    NEED(name)                                                                 \
    kernelUses(Out, sizeof *Out, CALLER);                                      \
    return looked(AT_FDCWD, Path, FileLooked, Real.name(Path, Out), CALLER);   \
  }
FILE_SYSTEM(statfs)
FILE_SYSTEM(statfs64)
FILE_SYSTEM(statvfs)
FILE_SYSTEM(statvfs64)

INTERPOSED int shm_unlink(const char *Name) {
  NEED(shm_unlink)
  if (!Real.shm_unlink) {
    errno = ENOSYS;
    return -1;
  }
  const int Status = Real.shm_unlink(Name);
  char Path[300];
  if (__builtin_expect(isRecorded(CALLER), 0) && hidden(Name) &&
      sharedPath("", Name, Path)) {
    fileAsked(AT_FDCWD, Path, FileLooked);
    if (Status == 0)
      fileAsked(AT_FDCWD, Path, FileChanged);
  }
  return Status;
}

/// By the name that PWD has for the folder, if it is one.
INTERPOSED char *get_current_dir_name() noexcept {
  NEED(get_current_dir_name)
  variableAsked("PWD", CALLER);
  return Real.get_current_dir_name();
}
