// Work of CUDA's libraries says what it accesses. What it allocates for itself
// on a thread of the CPU device is nobody's buffer.
// FLAGS: -lcufft
#include "cases.h"
#include <cufft.h>

CASE(transform) {
  constexpr int Rows = 512; // large enough for the library to allocate
  size_t bytes = Rows * Rows * sizeof(cufftDoubleComplex);
  auto *h = (cufftDoubleComplex *)malloc(bytes); // BAD: S1
  cufftDoubleComplex *d;
  cudaMalloc(&d, bytes);
  for (int i = 0; i < Rows * Rows; ++i)
    h[i] = {double(i % 7), 0};
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  cufftHandle plan;
  cufftPlan2d(&plan, Rows, Rows, CUFFT_Z2Z);
  if (bad)
    h[5].x = 1;                          // BECAUSE
  cufftExecZ2Z(plan, d, d, CUFFT_FORWARD); // BECAUSE
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", h[0].x);
  cufftDestroy(plan);
  free(h);
  cudaFree(d);
}
