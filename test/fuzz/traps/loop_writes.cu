// Loops that write almost all of the host buffer before it is uploaded again
// behind an in-place kernel: what they leave out is needed as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

struct Pair {
  Pair() {
    host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&device, Bytes));
    memset(host, 0, Bytes);
    again();
  }
  void again() {
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
  }
  ~Pair() {
    again();
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(host, N));
    cudaFree(device);
    free(host);
  }
  float *host, *device;
};

static void everySecond() {
  Pair p;
  for (int i = 0; i < N; i += 2)
    p.host[i] = 1;
}
static void allButOne() {
  Pair p;
  for (int i = 0; i < N; ++i)
    if (i != 77)
      p.host[i] = 1;
}
static void leftEarly(int last) {
  Pair p;
  for (int i = 0; i < N; ++i) {
    if (i == last)
      break;
    p.host[i] = 1;
  }
}
static void oneShort() {
  Pair p;
  for (int i = 1; i < N; ++i)
    p.host[i] = 1;
}
static void oneByteOfFour() {
  Pair p;
  for (int i = 0; i < N; ++i)
    ((char *)p.host)[4 * i + 3] = 0;
}
static void squareWithHoles(int columns) {
  Pair p;
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < columns; ++x)
      p.host[y * 256 + x] = 1;
}

int main(int argc, char **) {
  everySecond();
  allButOne();
  leftEarly(argc + 99);
  oneShort();
  oneByteOfFour();
  squareWithHoles(argc + 200);
}
