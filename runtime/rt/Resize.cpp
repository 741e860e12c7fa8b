//===- Resize.cpp - realloc of a block, or to one -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the content of a host buffer that the program resizes, where the old or
// the new one is a block. The analysis proved that the host may read the one
// and write the other here. What is no block it leaves to libc's realloc, and
// what fails leaves the old buffer as it was.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Block.h"
#include "runtime/rt/Watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

using namespace echo::rt;

/// Memory of the program's own, as from its malloc.
static void *allocateOwn(size_t Bytes) {
  makeRoom(Bytes, /*OnDevice=*/false);
  void *Fresh = malloc(Bytes);
  if (!Fresh)
    errno = ENOMEM;
  return Fresh;
}

extern "C" int32_t echort_resize(void *old, size_t bytes, void *block,
                                 void **fresh) {
  forgetIfReset(old);
  forgetWatched(old);
  size_t Held = hostCapacityAt(old);
  if (!block && !Held)
    return 0;
  *fresh = block;
  if (Held) {
    // As glibc does, realloc to no bytes only frees.
    if (!block && bytes && !(*fresh = allocateOwn(bytes)))
      return 1;
    // Two host buffers of one block have the content already.
    if (*fresh && *fresh != old)
      memcpy(*fresh, old, Held < bytes ? Held : bytes);
    echort_release(ECHO_HOST, old);
    return 1;
  }
  if (!old)
    return 1;
  // Only libc knows how large the old one is.
  void *Moved = realloc(old, bytes);
  if (!Moved) {
    echort_release(ECHO_HOST, block);
    *fresh = nullptr;
    return 1;
  }
  memcpy(block, Moved, bytes);
  free(Moved);
  return 1;
}
