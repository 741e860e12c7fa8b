// Five programs in one that would print something else if the two addresses
// were equal: bytes, hash, map, order, text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

#include <functional>
#include <map>
#include <string>

struct Pair {
  Pair() {
    host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&device, Bytes));
    fill(host, N, 1);
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
  }
  ~Pair() {
    printf("%.0f\n", sum(host, N));
    cudaFree(device);
    free(host);
  }
  float *host, *device;
};

static void bytes() {
  Pair p;
  printf("bytes %d\n", memcmp(&p.host, &p.device, sizeof(p.host)) != 0);
}
static void hash() {
  Pair p;
  std::hash<float *> of;
  printf("hash %d\n", of(p.host) != of(p.device));
}
static void map() {
  Pair p;
  std::map<float *, int> by;
  by[p.host] = 1;
  by[p.device] = 2;
  printf("map %zu %d\n", by.size(), by[p.host]);
}
static void order() {
  Pair p;
  std::less<float *> before;
  printf("order %d\n", before(p.host, p.device) || before(p.device, p.host));
}
static void text() {
  Pair p;
  char host[32], device[32];
  snprintf(host, sizeof(host), "%p", static_cast<void *>(p.host));
  snprintf(device, sizeof(device), "%p", static_cast<void *>(p.device));
  printf("text %d\n", std::string(host) != device);
}

int main() {
  bytes();
  hash();
  map();
  order();
  text();
}
