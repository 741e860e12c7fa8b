// An object given by value holds numbers, a vector, and an array of vectors: its
// copy takes the numbers together and walks through the array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"
#include <array>

struct Params {
  size_t n = N, rounds = 2;
  std::vector<float> x;
  std::array<std::vector<float>, 3> rows;
};

static void run(Params p) {
  float *dx, *dr;
  std::vector<float> out(p.n);
  CHECK(cudaMalloc(&dx, p.n * sizeof(float)));
  CHECK(cudaMalloc(&dr, p.n * sizeof(float)));
  CHECK(cudaMemcpy(dx, p.x.data(), p.n * sizeof(float), cudaMemcpyHostToDevice));
  for (size_t i = 0; i < p.rounds; ++i)
    scale<<<Blocks, Threads>>>(dx, dr, N, 3.0f);
  CHECK(cudaMemcpy(out.data(), dr, p.n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f %.0f %.0f\n", sum(out.data(), N), sum(p.x.data(), N), sum(p.rows[1].data(), 16));
  cudaFree(dx);
  cudaFree(dr);
}

int main() {
  Params p;
  p.x.resize(N);
  fill(p.x.data(), N, 4);
  for (size_t i = 0; i < 3; ++i) {
    p.rows[i].resize(16);
    fill(p.rows[i].data(), 16, i);
  }
  run(p);
  printf("%.0f\n", sum(p.x.data(), N));
}
