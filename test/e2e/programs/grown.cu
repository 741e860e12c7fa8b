// Host buffers that grow before the device buffer of their last size comes: a
// vector that is uploaded, one that is downloaded to, and one that each round
// makes anew. All are larger than their device buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 3
// ARGS: 70000
#include "e2e.h"

int main(int, char **argv) {
  int n = atoi(argv[1]);
  std::vector<float> in, out;
  for (int i = 0; i < n; ++i) {
    in.push_back(i % 64);
    out.push_back(-1);
  }
  float *dIn, *dOut;
  CHECK(cudaMalloc(&dIn, n * sizeof(float)));
  CHECK(cudaMalloc(&dOut, n * sizeof(float)));
  CHECK(cudaMemcpy(dIn, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  for (int round = 0; round < 3; ++round) {
    scale<<<(n + Threads - 1) / Threads, Threads>>>(dIn, dOut, n, round + 2.0f);
    CHECK(cudaMemcpy(out.data(), dOut, n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    printf("%.0f %.0f\n", sum(out.data(), n), sum(in.data(), n));
  }
  for (int round = 1; round < 4; ++round) {
    std::vector<float> each;
    for (int i = 0; i < n / round; ++i)
      each.push_back((i + round) % 64);
    float *d;
    size_t bytes = n / round * sizeof(float);
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemcpy(d, each.data(), bytes, cudaMemcpyHostToDevice));
    addInPlace<<<(n + Threads - 1) / Threads, Threads>>>(d, n / round, 1.0f);
    CHECK(cudaMemcpy(each.data(), d, bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(each.data(), n / round));
    CHECK(cudaFree(d));
  }
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dOut));
}
