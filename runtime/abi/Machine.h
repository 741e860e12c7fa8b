//===- Machine.h - Which machine this is ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells machines apart by /etc/machine-id, which stays where a host is renamed
// and differs where two hosts have one name. Where there is none the name
// decides. echo-run and libecho-dr.so must agree on it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_MACHINE_H
#define ECHO_RUNTIME_ABI_MACHINE_H

#include "runtime/abi/DrTrace.h"

#include <fcntl.h>
#include <unistd.h>

namespace echo::dr {

/// A hash of the machine's number, which itself is nobody's business; 0: it has
/// none.
inline uint64_t machineHash() {
  const int File = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return 0;
  char Text[64];
  const ssize_t Got = read(File, Text, sizeof Text);
  close(File);
  size_t Digits = 0;
  while (Got > 0 && Digits < static_cast<size_t>(Got) && Text[Digits] > ' ')
    ++Digits;
  // 32 digits; "uninitialized" is what systemd writes into an image.
  return Digits == 32 ? fnv1a(Text, Digits) : 0;
}

} // namespace echo::dr

#endif
