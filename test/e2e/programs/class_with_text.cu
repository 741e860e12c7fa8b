// A class that owns its buffers and has texts and an array beside them, as an object of
// its own, on the heap and cleared by new T().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

#include <memory>
#include <string>

class Filter {
public:
  bool open(const std::string &title, int count) {
    name = title + " of " + std::to_string(count);
    n = count;
    for (int i = 0; i < 4; ++i)
      steps[i] = i + 1;
    host = (float *)malloc(n * sizeof(float));
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    return host != nullptr;
  }
  void run(int round) {
    fill(host, n, round);
    CHECK(cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, n, steps[round % 4]);
    CHECK(cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost));
    name += '.';
    printf("%s %.0f\n", name.c_str(), sum(host, n));
  }
  ~Filter() {
    if (device)
      cudaFree(device);
    free(host);
  }

private:
  std::string name;
  float *host = nullptr, *device = nullptr;
  int n = 0, steps[4];
};

int main() {
  Filter local;
  local.open("a filter that has a long name", N);
  for (int i = 0; i < 3; ++i)
    local.run(i);
  for (int i = 0; i < 2; ++i) {
    auto filter = std::make_unique<Filter>();
    if (!filter->open("heap", N))
      return 1;
    filter->run(i);
  }
}
