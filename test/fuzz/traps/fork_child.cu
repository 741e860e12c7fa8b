// A child process has its own copy of the host buffer, not of merged memory: it
// changes what the parent goes on to use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

#include <sys/wait.h>
#include <unistd.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  fflush(stdout);
  pid_t child = fork();
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
