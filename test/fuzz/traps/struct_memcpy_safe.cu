// As struct_memcpy, but the host writes when the kernel is done. (A struct with
// an array between is more than Echo takes apart today.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
// EXPECT: job.host job.device unified
#include "e2e.h"

struct Job {
  int id;
  float *host, *device;
  int frame;
};

int main() {
  float *hy = (float *)malloc(Bytes), *dy;
  Job job, copy;
  job.id = 7;
  job.frame = 2;
  job.host = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&job.device, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  memcpy(&copy, &job, sizeof(job));
  fill(job.host, N, 1);
  CHECK(cudaMemcpy(job.device, job.host, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(copy.device, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  fill(copy.host, N, copy.frame);
  printf("%d %.0f %.0f\n", copy.id, sum(job.host, N), sum(hy, N));
  cudaFree(job.device);
  cudaFree(dy);
  free(copy.host);
  free(hy);
}
