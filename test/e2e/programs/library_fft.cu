// A signal is transformed, filtered by a kernel, and transformed back, in a
// stream of the program's.
// EXPECT: signal d unified
// NEEDS: cufft
// FLAGS: -lcufft
#include "library.h"
#include <cmath>
#include <cufft.h>

__global__ void lowPass(cufftComplex *x, int n, int keep) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float scale = i < keep || i > n - keep ? 1.0f / n : 0;
  if (i < n) {
    x[i].x *= scale;
    x[i].y *= scale;
  }
}

int main() {
  const int n = 1 << 15;
  const size_t bytes = n * sizeof(cufftComplex);
  cufftComplex *signal = (cufftComplex *)malloc(bytes), *d;
  CHECK(cudaMalloc(&d, bytes));
  for (int i = 0; i < n; ++i) {
    signal[i].x = std::sin(i * 6.283185307f * 3 / n) + (i % 2 ? 0.5f : -0.5f);
    signal[i].y = 0;
  }
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  CHECK(cufftSetStream(plan, stream));
  CHECK(cudaMemcpy(d, signal, bytes, cudaMemcpyHostToDevice));
  CHECK(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  lowPass<<<n / 256, 256, 0, stream>>>(d, n, 100);
  CHECK(cufftExecC2C(plan, d, d, CUFFT_INVERSE));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(signal, d, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i += n / 12)
    std::printf("%.2f ", signal[i].x + 10);
  std::printf("\n");
  CHECK(cufftDestroy(plan));
  CHECK(cudaStreamDestroy(stream));
  cudaFree(d);
  free(signal);
  return 0;
}
