// What programs that print what CUDA answers about graphs share: the buffers, the
// kernels, and the printed call. Decides nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ECHO_TEST_E2E_GRAPH_CALLS_H
#define ECHO_TEST_E2E_GRAPH_CALLS_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add(int *p, int n) { p[threadIdx.x] += n; }
__global__ void mul(int *p, int n) { p[threadIdx.x] *= n; }
static int *D, *D2, *H, Pageable[64];
/// Without it there is nothing to see.
#define NEED(x)                                                                \
  do {                                                                         \
    if (x)                                                                     \
      exit(9);                                                                 \
  } while (0)
#define SAY(x)                                                                 \
  do {                                                                         \
    cudaError_t e_ = (x);                                                      \
    printf("  %s: %s\n", #x, e_ ? cudaGetErrorName(e_) : "ok");                \
    cudaGetLastError();                                                        \
  } while (0)
static void title(const char *Text) { printf("%s\n", Text); }

#endif
