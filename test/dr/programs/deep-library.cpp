// What deep.cu loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <malloc.h>

// Bound as a pointer, too.
static void (*const volatile Free)(void *) = free;

extern "C" {
void __libc_free(void *);
void *make(size_t Bytes) { return malloc(Bytes); }
void *grow(void *P, size_t Bytes) { return realloc(P, Bytes); }
void giveBack(void *P) {
  static int Calls;
  switch (++Calls % 3) {
  case 0:
    return __libc_free(P);
  case 1:
    return Free(P);
  default:
    return free(P);
  }
}
size_t room(void *P) { return malloc_usable_size(P); }
}
