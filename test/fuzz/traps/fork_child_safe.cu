// As fork_child, but the child comes and goes before there are buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("parent %.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}

int main() {
  pid_t child = fork();
  if (child == 0) {
    printf("child\n");
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  work();
}
