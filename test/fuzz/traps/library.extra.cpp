// Stands in for cuRAND: a generator has a stream, and what it "generates" is a
// pattern.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

extern "C" {
struct curandGenerator_st {
  cudaStream_t stream;
};
int curandCreateGenerator(curandGenerator_st **generator, int) {
  *generator = new curandGenerator_st{nullptr};
  return 0;
}
int curandDestroyGenerator(curandGenerator_st *generator) {
  delete generator;
  return 0;
}
int curandSetStream(curandGenerator_st *generator, cudaStream_t stream) {
  generator->stream = stream;
  return 0;
}
int curandGenerateUniform(curandGenerator_st *generator, float *out,
                          size_t count) {
  return cudaMemsetAsync(out, 0x3f, count * sizeof(float), generator->stream);
}
}
