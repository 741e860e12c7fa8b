// A download passes the end of a device buffer, fails, and waits for nothing: the
// buffer has an earlier round's size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: out e unified
#include "e2e.h"

int main() {
  std::vector<float> out(N);
  float *e, *x;
  CHECK(cudaMalloc(&e, Bytes));
  CHECK(cudaMemset(e, 0, Bytes));
  std::vector<float> other(N);
  for (int round = 0; round < 2; ++round) {
    int n = atoi(round ? "65536" : "256");
    if (round == 0) cudaMalloc(&x, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    float *d, *h = (float *)malloc(n * sizeof(float));
    fill(h, n, 3);
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<n / Threads, Threads>>>(d, e, n, 2.0f);
    cudaMemcpy(other.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      h[i] = 5;
    cudaDeviceSynchronize();
    cudaFree(d);
    free(h);
  }
  cudaFree(x);
  cudaGetLastError();
  CHECK(cudaMemcpy(out.data(), e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out.data(), N));
  cudaFree(e);
}
