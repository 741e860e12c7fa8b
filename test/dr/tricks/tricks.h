//===- tricks.h - What the loops of this folder share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of their buffers, the case that is run, and the kernel. It decides
// nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_DR_TRICKS_H
#define ECHO_TEST_DR_TRICKS_H

#include "../inline-call.h"

#include <cuda_runtime.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

__global__ void work(const unsigned char *In, unsigned char *Out,
                     size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Out[I] = In[I] * 3 + 1;
}

[[maybe_unused]] static long word(const void *P) {
  return reinterpret_cast<long>(P);
}

#endif
