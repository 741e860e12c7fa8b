// As event_of_thread, but the other thread has an event of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

#include <semaphore.h>
#include <thread>

static cudaEvent_t Mark;
static cudaStream_t Other;
static sem_t Go, Done;

static void again() {
  sem_wait(&Go);
  CHECK(cudaEventRecord(Mark, Other));
  sem_post(&Done);
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s;
  cudaEvent_t mark;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&Other));
  CHECK(cudaEventCreate(&Mark));
  CHECK(cudaEventCreate(&mark));
  sem_init(&Go, 0, 0);
  sem_init(&Done, 0, 0);
  std::thread thread(again);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(mark, s));
  sem_post(&Go);
  sem_wait(&Done);
  CHECK(cudaEventSynchronize(mark));
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  thread.join();
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
