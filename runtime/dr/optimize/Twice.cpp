//===- Twice.cpp - Memory that is mapped twice ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of buffers that are watched (Watch.h): shared anonymous memory,
// of which the GPU has one mapping and the host the other. They are in no pool,
// because a child of fork must not share them.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Real.h"
#include "runtime/dr/optimize/Watch.h"
#include "runtime/rt/Pinning.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace echo::dr {

rt::Block *makeTwice(size_t Bytes, char *&HostView) {
  armWatchForForks();
  if (Bytes > SIZE_MAX / 4)
    return nullptr;
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t Mapped = (Bytes + HostSlack + Page - 1) / Page * Page;
  void *Device = mmap(nullptr, Mapped, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Device == MAP_FAILED)
    return nullptr;
  // Nothing of the old length moves: it is mapped once more.
  void *Host = mremap(Device, 0, Mapped, MREMAP_MAYMOVE);
  void *At = Host == MAP_FAILED ? nullptr : Libc.malloc(sizeof(rt::Block));
  if (!At) {
    munmap(Device, Mapped);
    if (Host != MAP_FAILED)
      munmap(Host, Mapped);
    return nullptr;
  }
  // What a child gets is its own; see armWatchForForks().
  madvise(Host, Mapped, MADV_DONTFORK);
  auto *B = new (At) rt::Block();
  B->Base = B->Memory = static_cast<char *>(Device);
  B->Capacity = Bytes;
  B->Reserved = Mapped;
  B->Kind = rt::Backing::PinnedSplit;
  B->Era = rt::forkEra();
  HostView = static_cast<char *>(Host);
  return B;
}

void dropTwice(rt::Block *B, char *HostView) {
  if (B->Era != rt::forkEra() || !rt::unpin(*B))
    return; // CUDA may still use it: it stays
  munmap(HostView, B->Reserved);
  munmap(B->Base, B->Reserved);
  Libc.free(B);
}

} // namespace echo::dr
