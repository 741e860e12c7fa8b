// Two handles of a library may be one; the stream of the first is set last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: library.extra.cpp
// EXPECT: hx dx unified
#include "e2e.h"

#include <curand.h>

static curandGenerator_t Generators[2];

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s, t;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  curandCreateGenerator(&Generators[0], CURAND_RNG_PSEUDO_DEFAULT);
  curandCreateGenerator(&Generators[1], CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerator_t generator = Generators[0], other = Generators[argc == 7];
  curandSetStream(other, t);
  curandSetStream(generator, s);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  curandGenerateUniform(generator, dx, N);
  CHECK(cudaStreamSynchronize(s));
  memset(hx, 0x40, Bytes);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
