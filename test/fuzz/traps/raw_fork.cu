// The system call makes a child process, which would have its own copy of the
// host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  // clone as fork does it: 56 on x86-64, 220 on aarch64
  long child = syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
  if (child == 0) {
    hx[0] = 1e6f;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("%d %.0f\n", status, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
