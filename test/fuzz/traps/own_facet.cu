// A facet of the program's changes a size while the library prints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

#include <iostream>
#include <locale>

static int count = N;

/// Prints numbers, and counts down.
struct Countdown : std::num_put<char> {
  iter_type do_put(iter_type out, std::ios_base &base, char filler,
                   long value) const override {
    count = N / 2;
    return std::num_put<char>::do_put(out, base, filler, value);
  }
};

int main() {
  std::cout.imbue(std::locale(std::locale(), new Countdown));
  float *hx, *dx;
  int all = count;
  hx = (float *)malloc(count * sizeof(float));
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, all, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  std::cout << 12345L;
  std::cout.flush();
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("\n%d %.0f\n", count, sum(hx, all));
  cudaFree(dx);
  free(hx);
}
