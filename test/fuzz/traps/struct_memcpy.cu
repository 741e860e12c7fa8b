// memcpy copies the struct that holds the pointers; the host writes through the
// copy while the kernel reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
// EXPECT: job.host job.device declined
#include "e2e.h"

struct Job {
  int id;
  float *host, *device;
  int frames[6];
};

int main() {
  float *hy = (float *)malloc(Bytes), *dy;
  Job job = {7, (float *)malloc(Bytes), nullptr, {1, 2, 3}}, copy;
  CHECK(cudaMalloc(&job.device, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  memcpy(&copy, &job, sizeof(job));
  fill(job.host, N, 1);
  CHECK(cudaMemcpy(job.device, job.host, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(copy.device, dy, N, 2.0f);
  fill(copy.host, N, copy.frames[1]);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f %.0f\n", copy.id, sum(job.host, N), sum(hy, N));
  cudaFree(job.device);
  cudaFree(dy);
  free(copy.host);
  free(hy);
}
