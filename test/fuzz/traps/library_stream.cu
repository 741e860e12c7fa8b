// A library works in the stream that its handle was given; the program waits
// for another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: library.extra.cpp
// EXPECT: hx dx declined host-write-in-flight
#include "e2e.h"

#include <curand.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  curandGenerator_t generator;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetStream(generator, s);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  curandGenerateUniform(generator, dx, N);
  CHECK(cudaStreamSynchronize(0));
  memset(hx, 0x40, Bytes);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  curandDestroyGenerator(generator);
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
