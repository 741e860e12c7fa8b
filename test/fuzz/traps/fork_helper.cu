// A function of its own forks: the child reads its copy of the host buffer,
// which is none if the block is the GPU's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static pid_t spawn() {
  fflush(stdout);
  return fork();
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  pid_t child = spawn();
  if (child == 0) {
    hx[0] += 5;
    printf("child %.0f\n", sum(hx, N));
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("parent %d %.0f\n", status, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
