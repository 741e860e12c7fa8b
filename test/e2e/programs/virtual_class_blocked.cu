// As virtual_class, but which class the object has only run time knows: one leaves the
// host's copy as it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
// ARGS: 1
#include "e2e.h"

#include <memory>

class Stage {
public:
  float *host = nullptr, *device = nullptr;
  virtual ~Stage() {
    cudaFree(device);
    free(host);
  }
  virtual void run() {
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
  }
};
class Download : public Stage {
public:
  void run() override {
    Stage::run();
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
  }
};

int main(int argc, char **) {
  std::unique_ptr<Stage> stage(argc > 1 ? new Download : new Stage);
  stage->host = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&stage->device, Bytes));
  fill(stage->host, N, 1);
  CHECK(cudaMemcpy(stage->device, stage->host, Bytes, cudaMemcpyHostToDevice));
  stage->run();
  printf("%.0f\n", sum(stage->host, N));
}
