// Filters behind an interface with virtual functions, one made by a function that
// returns it in a std::unique_ptr.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

#include <memory>
#include <string>

class Stage {
public:
  virtual ~Stage() = default;
  virtual bool open(int count) = 0;
  virtual void run(int round) = 0;
};

class AddStage : public Stage {
public:
  bool open(int count) override {
    n = count;
    name = "adds to " + std::to_string(n);
    host = (float *)malloc(n * sizeof(float));
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    return host != nullptr;
  }
  void run(int round) override {
    fill(host, n, round);
    CHECK(cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, n, 1.0f);
    CHECK(cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s %.0f\n", name.c_str(), sum(host, n));
  }
  ~AddStage() override {
    cudaFree(device);
    free(host);
  }

private:
  float *host = nullptr, *device = nullptr;
  int n = 0;
  std::string name;
};

std::unique_ptr<Stage> makeStage() { return std::make_unique<AddStage>(); }

int main() {
  auto stage = makeStage();
  stage->open(N);
  for (int i = 0; i < 3; ++i)
    stage->run(i);
}
