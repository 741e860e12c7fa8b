//===- Malloc.cpp - The C library's interposer: what is small -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc, calloc, realloc and free. operator new and delete come through here
// as well: the C++ library's call malloc. A call for little memory costs a
// comparison and a jump, a free of it a multiplication and a load more, so this
// file has no frame pointers: what is large is entered by a jump, as if the
// program had called it.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Malloc.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Ranges.h"
#include "runtime/dr/Real.h"

using namespace echo::dr;

static bool isLarge(size_t Bytes) {
  return __builtin_expect(
      Bytes >= __atomic_load_n(&HostThreshold, __ATOMIC_RELAXED), 0);
}

INTERPOSED void *malloc(size_t Bytes) {
  if (isLarge(Bytes))
    MUST_TAIL return mallocLarge(Bytes);
  MUST_TAIL return Libc.malloc(Bytes);
}

INTERPOSED void *calloc(size_t Count, size_t Size) {
  size_t Bytes;
  if (!__builtin_mul_overflow(Count, Size, &Bytes) && isLarge(Bytes))
    MUST_TAIL return callocLarge(Count, Size);
  MUST_TAIL return Libc.calloc(Count, Size);
}

INTERPOSED void *realloc(void *Pointer, size_t Bytes) {
  if (!Pointer || isLarge(Bytes) ||
      __builtin_expect(HostRanges.mayHold(Pointer), 0))
    MUST_TAIL return reallocLarge(Pointer, Bytes);
  MUST_TAIL return Libc.realloc(Pointer, Bytes);
}

INTERPOSED void free(void *Pointer) {
  if (__builtin_expect(HostRanges.mayHold(Pointer), 0))
    MUST_TAIL return freeLarge(Pointer);
  MUST_TAIL return Libc.free(Pointer);
}
