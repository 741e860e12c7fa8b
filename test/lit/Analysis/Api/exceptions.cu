// Standard exceptions are made by the C++ library, which copies their texts and
// leaves the GPU alone; the device has the buffer's address, so that nobody out
// of sight may use the GPU. Complex products are calls, too.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <complex>
#include <stdexcept>
#include <string>

struct Elsewhere {
  explicit Elsewhere(const char *text);
};
__device__ float *table;
__global__ void updateTable() { table[threadIdx.x] += 1; }

static void check(cudaError_t error) {
  SAFE(if (error == cudaErrorInvalidValue) throw std::invalid_argument("value");)
  SAFE(if (error) throw std::runtime_error(std::string("CUDA: ") +
                                           cudaGetErrorString(error));)
  UNSAFE(if (error) throw Elsewhere(cudaGetErrorString(error));)
}

// OK: h + {{.*}} unified
// BAD: h + {{.*}} declined S3 pointer-escapes
int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  std::complex<float> z(argc, 2);
  check(cudaMalloc(&d, Bytes));
  memset(h, 0, Bytes);
  check(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpyToSymbol(table, &d, sizeof d));
  updateTable<<<1, 256>>>();
  check(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  z *= std::complex<float>(h[0], h[1]);
  printf("%g\n", z.real());
  free(h);
  check(cudaFree(d));
}
