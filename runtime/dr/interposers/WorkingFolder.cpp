//===- WorkingFolder.cpp - Where a program's names begin ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WorkingFolder.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/WorkingFolder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

static char Folder[MostPath]; ///< the working folder; empty: not known

void findFolder() {
  if (syscall(SYS_getcwd, Folder, sizeof Folder) <= 0 || *Folder != '/')
    Folder[0] = 0;
}

bool wholePath(int At, const char *Path, char *Out) {
  size_t Used = 0;
  if (*Path != '/') {
    if (At == AT_FDCWD) {
      Used = strlen(Folder);
      memcpy(Out, Folder, Used);
    } else {
      char Name[40];
      snprintf(Name, sizeof Name, "/proc/self/fd/%d", At);
      const ssize_t Got = readlink(Name, Out, MostPath - 1);
      Used = Got > 0 ? static_cast<size_t>(Got) : 0;
    }
    if (!Used || Used + 1 >= MostPath)
      return false;
    if (Out[Used - 1] != '/')
      Out[Used++] = '/';
  }
  const size_t Length = strlen(Path);
  if (Used + Length >= MostPath)
    return false;
  memcpy(Out + Used, Path, Length + 1);
  return true;
}

} // namespace echo::dr
