// A larger buffer replaces the first one, or does not, and a vector that was
// reserved grows past that, at two places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 2
// ARGS: 0
// ARGS: 1
#include "e2e.h"

int main(int, char **argv) {
  bool first = atoi(argv[1]);
  int n = first ? N / 8 : N;
  float *h = (float *)malloc(Bytes / 4), *d;
  fill(h, N / 4, 3);
  if (n > N / 4) {
    free(h);
    h = (float *)malloc(n * sizeof(float));
    fill(h, n, 5);
  }
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  for (int round = 0; round < 3; ++round) {
    addInPlace<<<Blocks, Threads>>>(d, n, 1.0f);
    CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, n));
  }
  CHECK(cudaFree(d));
  free(h);

  std::vector<float> v;
  v.reserve(1000);
  for (int i = 0; i < (first ? 500 : N); ++i)
    v.push_back(i % 16);
  v.push_back(99);
  float *dv;
  CHECK(cudaMalloc(&dv, v.size() * sizeof(float)));
  CHECK(cudaMemcpy(dv, v.data(), v.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  addInPlace<<<Blocks + 1, Threads>>>(dv, v.size(), 2.0f);
  CHECK(cudaMemcpy(v.data(), dv, v.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  printf("%.0f %zu\n", sum(v.data(), v.size()), v.size());
  CHECK(cudaFree(dv));
}
