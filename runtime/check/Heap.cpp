//===- Heap.cpp - Host buffers come and go --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's allocation functions, which operator new uses, too. Where the
// user's code that asks is the site of a candidate pair, the block is followed
// until it is freed, by whatever code. A program with its own functions of
// these names keeps them, and no heap buffer is followed.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Lock.h"
#include "runtime/check/Pairs.h"

#include <cerrno>

using namespace echo::check;

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

static void *made(void *P, size_t Bytes, bool Cleared = false) {
  if (!P || !echo_check_place)
    return P;
  Entry Lock;
  if (!Lock || self().Hidden)
    return P;
  addBuffer(number(P), Bytes, false, false, echo_check_place);
  if (Cleared)
    accessMemory(number(P), Bytes, true, echo_check_place);
  return P;
}

static void gone(void *P) {
  if (!P || !mayBeWatched(number(P)))
    return;
  Entry Lock;
  if (Lock && !self().Hidden)
    dropBuffer(number(P));
}

extern "C" {

void *malloc(size_t Bytes) { return made(__libc_malloc(Bytes), Bytes); }

void *calloc(size_t Count, size_t Bytes) {
  return made(__libc_calloc(Count, Bytes), Count * Bytes, true);
}

void free(void *P) {
  gone(P);
  __libc_free(P);
}

void *realloc(void *Old, size_t Bytes) {
  if (!Old)
    return malloc(Bytes);
  if (!echo_check_place && !mayBeWatched(number(Old)))
    return __libc_realloc(Old, Bytes);
  void *New = __libc_realloc(Old, Bytes);
  if (!New && Bytes)
    return New;
  Entry Lock;
  if (Lock && !self().Hidden)
    moveBuffer(number(Old), number(New), Bytes, echo_check_place);
  return New;
}

void *memalign(size_t Align, size_t Bytes) {
  return made(__libc_memalign(Align, Bytes), Bytes);
}
void *aligned_alloc(size_t Align, size_t Bytes) {
  return made(__libc_memalign(Align, Bytes), Bytes);
}
int posix_memalign(void **Out, size_t Align, size_t Bytes) {
  if (Align % sizeof(void *) || Align & (Align - 1) || !Align)
    return EINVAL;
  void *P = made(__libc_memalign(Align, Bytes), Bytes);
  if (!P)
    return ENOMEM;
  *Out = P;
  return 0;
}
void *valloc(size_t Bytes) { return made(__libc_memalign(4096, Bytes), Bytes); }

} // extern "C"
