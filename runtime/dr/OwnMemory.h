//===- OwnMemory.h - Pages for Echo itself ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private memory from the kernel, not by the mmap and munmap that this library
// exports: what is Echo's own is no event, and may be mapped under any lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OWNMEMORY_H
#define ECHO_RUNTIME_DR_OWNMEMORY_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

/// Zeroed pages to read and write, in the place of what is at \p At if that is
/// given; null on failure.
inline void *mapOwn(size_t Bytes, void *At = nullptr) {
  const int Fixed = At ? MAP_FIXED : 0;
  const long P = syscall(SYS_mmap, At, Bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | Fixed, -1, 0);
  return P == -1 ? nullptr : reinterpret_cast<void *>(P);
}

inline void unmapOwn(void *At, size_t Bytes) { syscall(SYS_munmap, At, Bytes); }

} // namespace echo::dr

#endif
