//===- library_blas.h - The kernel between products -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of cuBLAS and cuBLASLt do with a product.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_E2E_LIBRARY_BLAS_H
#define ECHO_TEST_E2E_LIBRARY_BLAS_H

#include "library.h"

/// Adds x to the diagonal of the n x n matrix c.
__global__ void addDiagonal(float *c, int n, float x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i * n + i] += x;
}

#endif
