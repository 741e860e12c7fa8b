// A C++ source without kernels, which copies to the device and back.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
int main() {
  constexpr size_t Bytes = 1 << 20;
  auto *h = static_cast<unsigned char *>(std::malloc(Bytes));
  void *d;
  cudaMalloc(&d, Bytes);
  std::memset(h, 1, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaMemset(d, 7, Bytes);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[5]);
  std::free(h);
  cudaFree(d);
}
