//===- MemoryLimit.cpp - How much memory this process may have ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group's limit holds for all below it, so each folder up to the root counts.
// In a container the root itself is the group, and the path that is named may
// not exist there: then its upper folders are looked at all the same.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/MemoryLimit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace echo::dr {

/// The text of a small file; false if it cannot be read.
static bool readText(const char *Path, char *Out, size_t Room) {
  const int Fd = open(Path, O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  const ssize_t N = read(Fd, Out, Room - 1);
  close(Fd);
  Out[N > 0 ? N : 0] = 0;
  return N > 0;
}

/// The number that the file begins with; "max" and what is too large is none.
static uint64_t limitIn(const char *Path) {
  char Text[64];
  if (!readText(Path, Text, sizeof Text) || *Text < '0' || *Text > '9')
    return UINT64_MAX;
  errno = 0;
  const unsigned long long N = strtoull(Text, nullptr, 10);
  return errno ? UINT64_MAX : N;
}

/// The smallest limit of \p Folder below \p Mount and all above it.
static uint64_t smallest(const char *Mount, char *Folder, const char *File) {
  uint64_t Least = UINT64_MAX;
  for (;;) {
    char Path[4096];
    const int Length =
        snprintf(Path, sizeof Path, "%s%s/%s", Mount, Folder, File);
    if (Length > 0 && static_cast<size_t>(Length) < sizeof Path)
      if (const uint64_t Here = limitIn(Path); Here < Least)
        Least = Here;
    char *Slash = strrchr(Folder, '/');
    if (!Slash)
      return Least;
    *Slash = 0;
  }
}

/// True if \p Names, which commas part, has "memory".
static bool hasMemory(const char *Names, const char *End) {
  constexpr size_t Length = 6;
  for (const char *At = Names; At < End;) {
    const void *Found = memchr(At, ',', static_cast<size_t>(End - At));
    const char *Comma = Found ? static_cast<const char *>(Found) : End;
    if (static_cast<size_t>(Comma - At) == Length && !memcmp(At, "memory", 6))
      return true;
    At = Comma + 1;
  }
  return false;
}

uint64_t memoryLimit(const char *Groups, const char *Root) {
  char Text[4096];
  uint64_t Least = UINT64_MAX;
  if (!readText(Groups, Text, sizeof Text))
    return Least;
  char *Next = nullptr;
  for (char *Line = strtok_r(Text, "\n", &Next); Line;
       Line = strtok_r(nullptr, "\n", &Next)) {
    char *Names = strchr(Line, ':');
    char *Folder = Names ? strchr(Names + 1, ':') : nullptr;
    if (!Folder)
      continue;
    const bool Second = Names + 1 == Folder; // version 2 names no controller
    if (!Second && !hasMemory(Names + 1, Folder))
      continue;
    char Mount[1024];
    snprintf(Mount, sizeof Mount, "%s%s", Root, Second ? "" : "/memory");
    const uint64_t Here = smallest(
        Mount, Folder + 1, Second ? "memory.max" : "memory.limit_in_bytes");
    if (Here < Least)
      Least = Here;
  }
  return Least;
}

} // namespace echo::dr
