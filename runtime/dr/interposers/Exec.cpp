//===- Exec.cpp - The C library's interposer: other programs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that the planned one starts, or one that this library cannot be
// loaded into, runs with the environment that it had without Echo. Launchers
// hand the environment on: the planned program is started by them. The C
// library's own system() and popen() start the shell past these interposers,
// and are noted alone. A profile notes each program that is started. What is
// asked here runs in children of vfork, too: it allocates nothing but stack.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Programs.h"
#include "runtime/dr/interposers/Surroundings.h"

#include <alloca.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace echo::dr;

using Text = char *const *;
using Actions = const posix_spawn_file_actions_t *;
using Attributes = const posix_spawnattr_t *;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(execve) each(execvpe) each(fexecve) each(execveat) each(posix_spawn)    \
  each(posix_spawnp) each(popen) each(system)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

static struct stat Self; ///< the program's file
static bool KnowsSelf;

/// What a child of fork starts is a part of that, and is not written.
static void noteStart(const char *What) {
  if (!isInside()) // a library's constructor may do so before the mode is known
    processStarted(What);
}

/// Whether the program at \p Path must not get this library.
static bool runsWithout(const char *Path) {
  if (!Path)
    return false;
  if (!canLoadThis(Path))
    return true;
  // A process that has not called CUDA may be a launcher, even if it is of the
  // planned program (python3): others may lead to that again.
  if ((mode() != Mode::Optimize && mode() != Mode::Validate) ||
      !processCallsCuda())
    return false;
  if (!KnowsSelf)
    KnowsSelf = stat("/proc/self/exe", &Self) == 0;
  struct stat Other;
  return KnowsSelf && stat(Path, &Other) == 0 &&
         (Other.st_ino != Self.st_ino || Other.st_dev != Self.st_dev);
}

/// Where execvp finds \p File; null if it does not.
static const char *findProgram(const char *File, char *Out, size_t Room) {
  if (!File || strchr(File, '/'))
    return File;
  const char *Folders = getenv("PATH");
  if (!Folders)
    Folders = "/bin:/usr/bin";
  for (;;) {
    const size_t Length = strcspn(Folders, ":");
    const int N = snprintf(Out, Room, "%.*s%s%s", static_cast<int>(Length),
                           Folders, Length ? "/" : "", File);
    if (N > 0 && static_cast<size_t>(N) < Room && access(Out, X_OK) == 0)
      return Out;
    if (!Folders[Length])
      return nullptr;
    Folders += Length + 1;
  }
}

static constexpr char Preload[] = "LD_PRELOAD=", Ours[] = "ECHO_DR_",
                      Injected[] = "NVTX_INJECTION64_PATH=";

static bool begins(const char *Entry, const char *With) {
  return !strncmp(Entry, With, strlen(With));
}

/// A library of this one's name, wherever it was found.
static bool isThis(const char *Name, size_t Length) {
  constexpr char Own[] = "libecho-dr.so";
  constexpr size_t OwnLength = sizeof Own - 1;
  return Length >= OwnLength &&
         !memcmp(Name + Length - OwnLength, Own, OwnLength) &&
         (Length == OwnLength || Name[Length - OwnLength - 1] == '/');
}

/// \p Entry, LD_PRELOAD with its value, without this library, in \p Out. False:
/// nothing is left of it.
static bool withoutThis(const char *Entry, char *Out) {
  char *End = Out + strlen(Preload);
  memcpy(Out, Preload, strlen(Preload));
  const char *Start = End;
  for (const char *At = Entry + strlen(Preload); *At;) {
    const size_t Length = strcspn(At, ": ");
    if (Length && !isThis(At, Length)) {
      if (End != Start)
        *End++ = ':';
      memcpy(End, At, Length);
      End += Length;
    }
    At += Length;
    At += *At != 0;
  }
  *End = 0;
  return End != Start;
}

/// How many pointers and characters restore() writes.
struct Sizes {
  size_t Entries = 1, Characters = 1;
};
static Sizes sizesOf(Text Given) {
  Sizes S;
  for (; Given && *Given; ++Given, ++S.Entries)
    if (begins(*Given, Preload))
      S.Characters += strlen(*Given) + 1;
  return S;
}

/// The environment \p Given as it would be without Echo.
static Text restore(Text Given, char **Out, char *Room) {
  char **At = Out;
  for (; Given && *Given; ++Given) {
    char *Entry = *Given;
    const char *Value = strchr(Entry, '=');
    if (begins(Entry, Ours) ||
        (begins(Entry, Injected) && isThis(Value, strlen(Value))))
      continue;
    if (begins(Entry, Preload)) {
      if (!withoutThis(Entry, Room))
        continue;
      Entry = Room;
      Room += strlen(Room) + 1;
    }
    *At++ = Entry;
  }
  *At = nullptr;
  return Out;
}

/// \p given, restored if \p without. The memory lives as long as the caller.
#define ENVIRONMENT(given, without)                                            \
  const Sizes S_ = (without) ? sizesOf(given) : Sizes();                       \
  char **Entries_ = static_cast<char **>(alloca(S_.Entries * sizeof(char *))); \
  char *Room_ = static_cast<char *>(alloca(S_.Characters));                    \
  Text Environment = (without) ? restore(given, Entries_, Room_) : (given);

static int missing() {
  errno = ENOSYS;
  return -1;
}

INTERPOSED int execve(const char *Path, Text Args, Text Given) {
  pathUsed(Path, CALLER);
  noteStart(Path);
  ENVIRONMENT(Given, runsWithout(Path))
  return Real.execve ? Real.execve(Path, Args, Environment) : missing();
}

INTERPOSED int execv(const char *Path, Text Args) {
  pathUsed(Path, CALLER);
  return execve(Path, Args, environ);
}

INTERPOSED int execvpe(const char *File, Text Args, Text Given) {
  noteStart(File);
  char Place[4096];
  ENVIRONMENT(Given, runsWithout(findProgram(File, Place, sizeof Place)))
  return Real.execvpe ? Real.execvpe(File, Args, Environment) : missing();
}

INTERPOSED int execvp(const char *File, Text Args) {
  return execvpe(File, Args, environ);
}

INTERPOSED int fexecve(int Fd, Text Args, Text Given) {
  noteStart("a program");
  char Place[64];
  snprintf(Place, sizeof Place, "/proc/self/fd/%d", Fd);
  ENVIRONMENT(Given, runsWithout(Place))
  return Real.fexecve ? Real.fexecve(Fd, Args, Environment) : missing();
}

INTERPOSED int execveat(int Folder, const char *Path, Text Args, Text Given,
                        int Flags) {
  pathUsed(Path, CALLER);
  noteStart(Path);
  char Place[4096];
  const char *Known = Path;
  if (*Path != '/' && Folder >= 0) {
    snprintf(Place, sizeof Place, "/proc/self/fd/%d%s%s", Folder,
             *Path ? "/" : "", Path);
    Known = Place;
  }
  ENVIRONMENT(Given, runsWithout(Known))
  return Real.execveat ? Real.execveat(Folder, Path, Args, Environment, Flags)
                       : missing();
}

/// The arguments of the execl family, from \p First on.
#define LISTED(first)                                                          \
  va_list List_;                                                               \
  va_start(List_, first);                                                      \
  size_t Count_ = 1;                                                           \
  while (va_arg(List_, char *))                                                \
    ++Count_;                                                                  \
  va_end(List_);                                                               \
  char **Args = static_cast<char **>(alloca((Count_ + 1) * sizeof(char *)));   \
  Args[0] = const_cast<char *>(first);                                         \
  va_start(List_, first);                                                      \
  for (size_t I = 1; I <= Count_; ++I)                                         \
    Args[I] = va_arg(List_, char *);

INTERPOSED int execl(const char *Path, const char *First, ...) {
  pathUsed(Path, CALLER);
  LISTED(First)
  va_end(List_);
  return execve(Path, Args, environ);
}

INTERPOSED int execlp(const char *File, const char *First, ...) {
  LISTED(First)
  va_end(List_);
  return execvpe(File, Args, environ);
}

INTERPOSED int execle(const char *Path, const char *First, ...) {
  pathUsed(Path, CALLER);
  LISTED(First)
  Text Given = va_arg(List_, Text);
  va_end(List_);
  return execve(Path, Args, Given);
}

INTERPOSED int posix_spawn(pid_t *Child, const char *Path, Actions First,
                           Attributes How, Text Args, Text Given) {
  pathUsed(Path, CALLER);
  noteStart(Path);
  ENVIRONMENT(Given, runsWithout(Path))
  return Real.posix_spawn
             ? Real.posix_spawn(Child, Path, First, How, Args, Environment)
             : ENOSYS;
}

INTERPOSED int posix_spawnp(pid_t *Child, const char *File, Actions First,
                            Attributes How, Text Args, Text Given) {
  noteStart(File);
  char Place[4096];
  ENVIRONMENT(Given, runsWithout(findProgram(File, Place, sizeof Place)))
  return Real.posix_spawnp
             ? Real.posix_spawnp(Child, File, First, How, Args, Environment)
             : ENOSYS;
}

INTERPOSED FILE *popen(const char *Command, const char *Mode) {
  noteStart("a shell");
  NEED(popen)
  return Real.popen ? Real.popen(Command, Mode) : nullptr;
}

INTERPOSED int system(const char *Command) {
  if (Command)
    noteStart("a shell");
  NEED(system)
  return Real.system ? Real.system(Command) : -1;
}
