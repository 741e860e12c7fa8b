// A copy names the first member of an object, an array, and takes the members behind it, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

struct Settings {
  int offsets[4];
  float factor, shift;
};
struct Job {
  int offsets[4];
  float factor, shift;
  float *h, *d;
};

__global__ void apply(float *data, const Settings *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    data[i] = data[i] * s->factor + s->shift + s->offsets[i % 4];
}

int main(int argc, char **) {
  Job job;
  for (int i = 0; i < 4; ++i)
    job.offsets[i] = i + argc;
  job.factor = argc + 1;
  job.shift = argc + 2;
  Settings *settings;
  CHECK(cudaMalloc(&settings, sizeof(Settings)));
  float *h = job.h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  job.d = d;
  fill(h, N, 1);
  CHECK(cudaMemcpy(settings, job.offsets, sizeof(Settings), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(job.d, job.h, Bytes, cudaMemcpyHostToDevice));
  apply<<<Blocks, Threads>>>(job.d, settings);
  CHECK(cudaMemcpy(job.h, job.d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(job.h, N));
  cudaFree(d);
  cudaFree(settings);
  free(h);
}
