// A host function holds a stream until the host goes on: an upload of pageable
// memory behind it, which may return at once, must not wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

#include <atomic>

static std::atomic<bool> go;

static void hold(void *) {
  while (!go)
    ;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaLaunchHostFunc(s, hold, nullptr));
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  go = true;
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 3);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
