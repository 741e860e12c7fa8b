// A program with an allocator of its own, which has no reallocarray: the C
// library's calls the program's realloc, whatever is preloaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>

alignas(16) static char Pool[16 << 20];
static size_t Used;
static unsigned Freed;

extern "C" {
void *malloc(size_t Bytes) {
  char *P = Pool + Used;
  Used += (Bytes + 31) & ~size_t(15);
  memcpy(P, &Bytes, sizeof Bytes);
  return P + 16;
}
void free(void *P) { Freed += P != nullptr; }
void *calloc(size_t N, size_t Bytes) {
  return memset(malloc(N * Bytes), 0, N * Bytes);
}
void *realloc(void *P, size_t Bytes) {
  size_t Old = 0;
  if (P)
    memcpy(&Old, static_cast<char *>(P) - 16, sizeof Old);
  void *Fresh = malloc(Bytes);
  if (P)
    memcpy(Fresh, P, Old < Bytes ? Old : Bytes);
  free(P);
  return Fresh;
}
}

int main() {
  char *P = static_cast<char *>(malloc(300000));
  P[299999] = 5;
  for (size_t N = 400000; N > 100; N /= 20) {
    P = static_cast<char *>(reallocarray(P, N, 2));
    if (P < Pool || P >= Pool + sizeof Pool)
      return 2;
  }
  std::printf("%d frees\n", Freed > 2);
  return 0;
}
