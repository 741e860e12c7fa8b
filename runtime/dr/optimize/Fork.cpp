//===- Fork.cpp - What a child process finds in served buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Fork.h. The host ranges stay locked from the first copy until both
// processes go on, so that no buffer is freed in between. A copy that cannot be
// made is left out with a line: that buffer is in the child what CUDA makes of
// it. Managed memory may be read while the device works: where it may not, no
// pair is managed.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Fork.h"
#include "runtime/dr/OwnMemory.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/optimize/Memory.h"
#include "runtime/rt/Pinning.h"

#include <string.h>
#include <unistd.h>

namespace echo::dr {

namespace {
/// At the start of each copy's own mapping.
struct Copy {
  Copy *Next;
  size_t Mapped; ///< bytes of the mapping
  char *Base;    ///< where the bytes belong
  size_t Bytes;
  char *bytes() { return reinterpret_cast<char *>(this + 1); }
};
} // namespace

/// Made and used by the thread that forks, while all tables are locked.
static Copy *Copies;

/// The block of a host buffer that the child would not find; or null.
static const rt::Block *lostBlock(const Range &R) {
  const auto *S = static_cast<const Served *>(R.Owner);
  // What is mapped twice sees to itself (Watch.h).
  const bool Lost =
      R.Served && S && !S->HostView && rt::isKeptFromChildren(*S->Block);
  return Lost ? S->Block : nullptr;
}

void copyForChild() {
  HostRanges.forEachLocked(
      [](Range &R, void *) {
        if (!lostBlock(R))
          return;
        const size_t Mapped = sizeof(Copy) + R.Bytes;
        auto *C = static_cast<Copy *>(mapOwn(Mapped));
        if (!C)
          return say("no memory to copy a buffer of %llu bytes for the child "
                     "process, which does not inherit it",
                     static_cast<unsigned long long>(R.Bytes));
        *C = {Copies, Mapped, reinterpret_cast<char *>(R.Base), R.Bytes};
        memcpy(C->bytes(), C->Base, C->Bytes);
        Copies = C;
      },
      nullptr);
}

void dropCopies() {
  while (Copy *C = Copies) {
    Copies = C->Next;
    unmapOwn(C, C->Mapped);
  }
}

void giveToChild() {
  const auto Page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  // All pages first: two buffers may share one.
  for (Copy *C = Copies; C; C = C->Next) {
    const auto First = reinterpret_cast<uintptr_t>(C->Base) & ~(Page - 1);
    const auto End = reinterpret_cast<uintptr_t>(C->Base) + C->Bytes;
    if (!mapOwn(End - First, reinterpret_cast<void *>(First)))
      C->Bytes = 0;
  }
  for (Copy *C = Copies; C; C = C->Next)
    memcpy(C->Base, C->bytes(), C->Bytes);
  dropCopies();
}

} // namespace echo::dr
