// The download replaces all but the last element of the vector: the host's own
// value of that one must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: v d declined device-write-live-host|pointer-to-integer
// ARGS: 65536
#include "e2e.h"

int main(int argc, char **argv) {
  int n = std::atoi(argv[argc - 1]);
  std::vector<float> v(n);
  fill(v.data(), n, 1);
  float *d;
  CHECK(cudaMalloc(&d, v.size() * sizeof(float)));
  for (int step = 0; step < 3; ++step) {
    iota<<<n / Threads + 1, Threads>>>(d, n);
    CHECK(cudaMemcpy(v.data(), d, (v.size() - 1) * sizeof(float),
                     cudaMemcpyDeviceToHost));
    std::printf("%.0f %.0f\n", v[n - 1], sum(v.data(), n));
  }
  CHECK(cudaFree(d));
}
