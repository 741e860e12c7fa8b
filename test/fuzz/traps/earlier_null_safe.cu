// A download does not fail for want of a host buffer: this round's size
// says that there is one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 2
#include "e2e.h"

int main() {
  std::vector<float> out(N);
  float *e;
  CHECK(cudaMalloc(&e, Bytes));
  CHECK(cudaMemset(e, 0, Bytes));
  float *other = (float *)malloc(400);
  for (int round = 0; round < 2; ++round) {
    int n = atoi(round ? "65536" : "0");
    {
      free(other);
      if (n != 0)
        other = (float *)malloc(n * sizeof(float));
      else
        other = nullptr;
    }
    float *x, *d, *h = (float *)malloc(n * sizeof(float));
    cudaMalloc(&x, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    fill(h, n, 3);
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    if (n)
      scale<<<n / Threads, Threads>>>(d, e, n, 2.0f);
    cudaMemcpy(other, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      h[i] = 5;
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFree(x);
    free(h);
  }
  free(other);
  cudaGetLastError();
  CHECK(cudaMemcpy(out.data(), e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out.data(), N));
  cudaFree(e);
}
