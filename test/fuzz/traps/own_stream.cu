// A stream's buffer that the program wrote keeps the address of what is
// written, and reads it later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

#include <ostream>

/// Shows the text only when it is asked to.
struct Window : std::streambuf {
  const char *text = nullptr;
  std::streamsize xsputn(const char *s, std::streamsize n) override {
    text = s;
    return n;
  }
  int sync() override {
    printf("%c\n", text ? text[2] : '-');
    return 0;
  }
};

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  memset(hx, 'A', sizeof(float));
  Window window;
  std::ostream out(&window);
  out.write((const char *)hx, 64);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  out.flush(); // shows what is in hx now
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
