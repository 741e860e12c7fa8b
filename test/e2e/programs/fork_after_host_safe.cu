// The parent works on the CPU alone, so that its child may use the GPU: a merged block must not start CUDA in the parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified or declined
#include "e2e.h"
#include <sys/wait.h>
#include <unistd.h>

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

__attribute__((noinline)) static int work(bool onGpu) {
  int error = 0, *d = nullptr;
  int *h = (int *)malloc(N * sizeof(int));
  if (!h)
    return 9;
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  if (onGpu) {
    error = cudaMalloc(&d, N * sizeof(int));
    if (error == 0) {
      cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice);
      inc<<<(N + 255) / 256, 256>>>(d, N);
      cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);
      cudaFree(d);
    }
  } else {
    for (int i = 0; i < N; ++i)
      h[i] += 1000;
  }
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  free(h);
  printf("%ld %d\n", all, error);
  fflush(stdout);
  return error;
}

int main() {
  work(false);
  pid_t child = fork();
  if (child == 0)
    _exit(work(true));
  int status;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
