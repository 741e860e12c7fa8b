// Vectors whose length only run time knows, none of them, one of them, and
// many: what is copied is v.size() elements, in a helper with the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: out d unified
// EXPECT: in e unified|guarded
// ARGS: 0 1 70001
#include "e2e.h"

template <class T> static void download(std::vector<T> &to, const T *from) {
  CHECK(cudaMemcpy(to.data(), from, to.size() * sizeof(T),
                   cudaMemcpyDeviceToHost));
}

static double rounds(std::vector<float> &out, float *d, int n) {
  double total = 0;
  for (int step = 0; step < 3; ++step) {
    addInPlace<<<n / Threads + 1, Threads>>>(d, n, 1.0f);
    download(out, d);
    total = 2 * total + sum(out.data(), n);
  }
  return total;
}

static double run(int n) {
  std::vector<float> in(n, 3.0f);
  std::vector<float> out(in.size());
  float *d, *e;
  CHECK(cudaMalloc(&d, out.size() * sizeof(float)));
  CHECK(cudaMalloc(&e, n * sizeof(float)));
  fill(in.data(), n, 1);
  CHECK(cudaMemcpy(e, in.data(), in.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  scale<<<n / Threads + 1, Threads>>>(e, d, n, 2.0f);
  double total = rounds(out, d, n);
  CHECK(cudaFree(d));
  CHECK(cudaFree(e));
  return total;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  std::printf("%.0f\n", run(std::atoi(argv[1])));
  std::printf("%.0f\n", run(std::atoi(argv[2])));
  std::printf("%.0f\n", run(std::atoi(argv[3])));
}
