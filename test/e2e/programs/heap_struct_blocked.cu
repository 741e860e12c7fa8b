// The pointers live in an object on the heap that other code can reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

struct Job {
  float *host, *device;
};

static Job *volatile current;

Job *makeJob() {
  Job *job = new Job;
  current = job;
  job->host = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&job->device, Bytes));
  return job;
}
void runJob(Job *job) {
  CHECK(cudaMemcpy(job->device, job->host, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(job->device, N, 1.0f);
  CHECK(cudaMemcpy(job->host, job->device, Bytes, cudaMemcpyDeviceToHost));
}

int main() {
  Job *job = makeJob();
  fill(job->host, N, 1);
  runJob(job);
  printf("%.0f\n", sum(job->host, N));
  cudaFree(job->device);
  free(job->host);
  delete job;
}
