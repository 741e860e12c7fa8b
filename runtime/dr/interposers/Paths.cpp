//===- Paths.cpp - Paths that stand for something else --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Paths.h"

#include <errno.h>
#include <fcntl.h>
#include <initializer_list>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

int standardNamed(const char *Path) {
  static const char *const Names[3][4] = {
      {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"},
      {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"},
      {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2",
       "/proc/thread-self/fd/2"}};
  if (strncmp(Path, "/dev/", 5) != 0 && strncmp(Path, "/proc/", 6) != 0)
    return -1;
  for (int Fd = 0; Fd != 3; ++Fd)
    for (const char *Name : Names[Fd])
      if (!strcmp(Path, Name))
        return Fd;
  return -1;
}

bool isEnvironment(const char *Path) {
  const char *Last = strrchr(Path, '/');
  return !strncmp(Path, "/proc/", 6) && Last && !strcmp(Last, "/environ");
}

bool isNoFile(const char *Path) {
  if (strstr(Path, "/../")) // it leads elsewhere
    return false;
  return (!strncmp(Path, "/dev/", 5) && strncmp(Path, "/dev/shm/", 9) != 0) ||
         !strncmp(Path, "/proc/", 6) || !strncmp(Path, "/sys/", 5);
}

/// What follows \p Start in \p Path; null where that begins otherwise.
static const char *after(const char *Path, const char *Start) {
  const size_t Length = strlen(Start);
  return Path && !strncmp(Path, Start, Length) ? Path + Length : nullptr;
}

/// What follows the part of \p Path that \p At lies in, with its slash; null at
/// the end.
static const char *nextPart(const char *At) {
  const char *Slash = strchr(At, '/');
  return Slash ? Slash + 1 : nullptr;
}

/// Where the link ends that \p Path begins with; null: it begins with none.
static const char *endOfLink(const char *Path) {
  const char *Number = after(Path, "/dev/fd/");
  if (const char *Process = after(Path, "/proc/"); Process && !Number) {
    const char *What = nextPart(Process);
    if (const char *Task = after(What, "task/"))
      What = nextPart(Task);
    for (const char *Name : {"cwd", "root"})
      if (const char *End = after(What, Name); End && (!*End || *End == '/'))
        return End;
    Number = after(What, "fd/");
  }
  if (!Number || !*Number)
    return nullptr;
  const char *End = Number + strspn(Number, "0123456789");
  return End != Number && (!*End || *End == '/') ? End : nullptr;
}

void resolveLink(char *Path, size_t Room) {
  const char *End = endOfLink(Path);
  char Link[64], Target[4096];
  const size_t Length = End ? static_cast<size_t>(End - Path) : 0;
  if (!Length || Length >= sizeof Link)
    return;
  memcpy(Link, Path, Length);
  Link[Length] = 0;
  const ssize_t Got = readlink(Link, Target, sizeof Target);
  const size_t Rest = strlen(End) + 1;
  if (Got <= 0 || *Target != '/' || static_cast<size_t>(Got) + Rest > Room)
    return;
  memmove(Path + Got, End, Rest);
  memcpy(Path, Target, static_cast<size_t>(Got));
}

int flagsOf(const char *Mode) {
  const bool Both = strchr(Mode, '+') != nullptr;
  const int Access = Both ? O_RDWR : *Mode == 'r' ? O_RDONLY : O_WRONLY;
  const int Made = *Mode == 'w'   ? O_TRUNC | O_CREAT
                   : *Mode == 'a' ? O_CREAT
                                  : 0;
  const bool IsNew = Made && memchr(Mode, 'x', strcspn(Mode, ","));
  return Access | Made | (IsNew ? O_EXCL : 0);
}

static bool MadeLinks; ///< atomic

void linkMade() { __atomic_store_n(&MadeLinks, true, __ATOMIC_RELAXED); }

bool linksMade() { return __atomic_load_n(&MadeLinks, __ATOMIC_RELAXED); }

bool placeOf(const char *Path, char *Out, size_t Room) {
  size_t Length = strlen(Path);
  if (Length >= Room)
    return false;
  memcpy(Out, Path, Length + 1);
  int Fd;
  while (
      (Fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, Length ? Out : "/",
                                     O_PATH | O_CLOEXEC))) < 0) {
    const char *Slash = strrchr(Out, '/');
    if (errno == EMFILE || !Length || !Slash)
      return false;
    Length = static_cast<size_t>(Slash - Out);
    Out[Length] = 0;
  }
  char Name[40];
  snprintf(Name, sizeof Name, "/proc/self/fd/%d", Fd);
  const ssize_t Got = readlink(Name, Out, Room);
  syscall(SYS_close, Fd);
  const char *Rest = Path + Length;
  const size_t Used = Got > 1 ? static_cast<size_t>(Got) : 0; // "/": no part
  if (Got <= 0 || *Out != '/' || Used + strlen(Rest) >= Room)
    return false;
  memcpy(Out + Used, Rest, strlen(Rest) + 1);
  return *Out && strcmp(Out, Path) != 0;
}

} // namespace echo::dr
