// A malloc with names of its own besides, as jemalloc has them: what malloc did
// not give, it does not free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace {
struct Head {
  size_t Bytes, Mapped;
  uint64_t Magic, Fill;
};
constexpr uint64_t Magic = 0x5a17edb10cf0e57;
} // namespace

static Head *headOf(void *P) {
  auto *H = static_cast<Head *>(P) - 1;
  if (H->Magic != Magic)
    abort();
  return H;
}

extern "C" {
void *malloc(size_t Bytes) {
  const size_t Mapped = (Bytes + sizeof(Head) + 4095) / 4096 * 4096;
  void *At = mmap(nullptr, Mapped, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto *H = static_cast<Head *>(At);
  *H = {Bytes, Mapped, Magic, 0};
  return H + 1;
}
void free(void *P) {
  if (P)
    munmap(headOf(P), headOf(P)->Mapped);
}
void *calloc(size_t N, size_t Size) { return malloc(N * Size); }
void *realloc(void *P, size_t Bytes) {
  void *Fresh = malloc(Bytes);
  if (P) {
    const size_t Old = headOf(P)->Bytes;
    memcpy(Fresh, P, Old < Bytes ? Old : Bytes);
    free(P);
  }
  return Fresh;
}
void *aligned_alloc(size_t Align, size_t Bytes) {
  return Align <= 32 ? malloc(Bytes) : nullptr;
}
void sdallocx(void *P, size_t Bytes, int) {
  if (headOf(P)->Bytes != Bytes)
    abort();
  free(P);
}
}
