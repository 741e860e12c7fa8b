// The headers that CUDA's own include under nvcc are there before the source,
// with the host's overloads of math.h, whatever the source includes later.
// (stdio.h: nvcc-stdio.cu.)
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -std=c++17 %s -o %t && %t
// RUN: %echo_cc -w -std=c++17 -DLATER %s -o %t && %t
// RUN: not %echo_cc -w -fsyntax-only -DOTHER %s 2>&1 | FileCheck %s
// CHECK: error: use of undeclared identifier 'gettimeofday'
#ifdef LATER
#include <cmath>
#include <ctime>
#include <math.h>
using namespace std;
#endif
#include <stdio.h>
__host__ __device__ bool good(double x) { return isfinite(x) && !isnan(x); }
__global__ void k(bool *p, double x) { *p = good(x) && isfinite(float(x)); }
int main(int argc, char **argv) {
#ifdef OTHER
  gettimeofday(nullptr, nullptr);
#endif
  assert(argc == 1);
  printf("%zu\n", strlen(argv[0]));
  return good(argc) && !isinf(float(argc)) && time(nullptr) != 0 &&
                 abs(-argc) == 1
             ? 0
             : EXIT_FAILURE;
}
