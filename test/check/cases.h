// Cases of the tests of --check: each is run as it should be and with its
// fault. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ECHO_TEST_CHECK_CASES_H
#define ECHO_TEST_CHECK_CASES_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

constexpr int N = 4096;
constexpr size_t Bytes = N * sizeof(int);

__global__ void twice(int *d) { d[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void total(const int *d, int *sum) {
  for (int i = 0; i < N; ++i)
    *sum += d[i];
}

static void fill(int *h, int from) {
  for (int i = 0; i < N; ++i)
    h[i] = from + i;
}

struct Case {
  const char *name;
  void (*run)(bool bad);
  Case *next;
  static Case *&all() {
    static Case *first = nullptr;
    return first;
  }
  Case(const char *name, void (*run)(bool))
      : name(name), run(run), next(all()) {
    all() = this;
  }
};

// Runs "PROGRAM NAME good" or "PROGRAM NAME bad".
#define CASE(name)                                                             \
  static void name(bool bad);                                                  \
  static Case case_##name(#name, name);                                        \
  static void name(bool bad)

int main(int argc, char **argv) {
  for (Case *c = Case::all(); c && argc > 2; c = c->next)
    if (!strcmp(c->name, argv[1]))
      c->run(!strcmp(argv[2], "bad"));
  return 0;
}

#endif
