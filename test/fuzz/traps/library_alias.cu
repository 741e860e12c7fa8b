// Two handles of a library are one, and the second is given another stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: library.extra.cpp
// EXPECT: hx dx declined host-write-in-flight
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
  curandSetStream(generator, s);
  curandSetStream(other, t);
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
