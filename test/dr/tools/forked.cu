// A loop in a process and in the child that it forks before it uses CUDA. The child alone fills
// its host buffer for the next round while the GPU still works with the device buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

static const int N = 1 << 18;

__global__ static void mix(float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = d[i] * 0.5f + i % 5;
}

static void loop(const char *who, bool early) {
  float *h = (float *)malloc(N * sizeof(float)), *d;
  cudaMalloc(&d, N * sizeof(float));
  double sum = 0;
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  for (int round = 0; round < 20; ++round) {
    cudaMemcpy(d, h, N * sizeof(float), cudaMemcpyHostToDevice);
    if (early)
      for (int i = 0; i < N; ++i)
        h[i] = round;
    mix<<<(N + 255) / 256, 256>>>(d, N);
    cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i += 64)
      sum += h[i];
  }
  cudaFree(d);
  free(h);
  printf("%s %.3f\n", who, sum);
  fflush(stdout);
}

int main() {
  pid_t child = fork();
  if (!child) {
    loop("child", true);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  loop("parent", false);
}
