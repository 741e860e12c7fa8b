//===- OwnFile.h - A file that Echo reads in a handler ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of /proc, opened and read by system calls alone, past this library's
// interposers and echo-run's watch of calls: a handler of SIGSEGV may do it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_OWNFILE_H
#define ECHO_RUNTIME_DR_VALIDATE_OWNFILE_H

#include "runtime/abi/CallWatch.h"
#include "runtime/dr/validate/Pages.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

namespace echo::dr {

/// \p Before, then \p Number, then \p After, into \p Out: without stdio.
inline void nameOf(const char *Before, unsigned Number, const char *After,
                   char *Out) {
  char Digits[16];
  unsigned Count = 0;
  do
    Digits[Count++] = static_cast<char>('0' + Number % 10);
  while (Number /= 10);
  strcpy(Out, Before);
  Out += strlen(Out);
  while (Count)
    *Out++ = Digits[--Count];
  strcpy(Out, After);
}

/// A descriptor of Echo's own, for a moment.
class OwnFile {
public:
  OwnFile(const char *Path, int Flags)
      : Fd(static_cast<int>(
            systemCall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(Path),
                       O_RDONLY | O_CLOEXEC | Flags, 0, OwnCall))) {}
  ~OwnFile() {
    if (Fd >= 0)
      systemCall(SYS_close, Fd, 0, 0, 0, 0);
  }
  OwnFile(const OwnFile &) = delete;
  OwnFile &operator=(const OwnFile &) = delete;
  /// \p Call is SYS_read or SYS_getdents64. Bytes, 0 at the end, or negative.
  long get(long Call, char *Out, size_t Room) const {
    return systemCall(Call, Fd, reinterpret_cast<long>(Out),
                      static_cast<long>(Room), 0, 0);
  }
  const int Fd;
};

} // namespace echo::dr

#endif
