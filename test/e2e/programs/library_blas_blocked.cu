// The host changes an input while the product that reads it may still be running:
// cuBLAS is work of the handle's stream and waits for nothing.
// EXPECT: a da declined S2|host-write-in-flight
// EXPECT: c dc unified
// NEEDS: cublas
// FLAGS: -lcublas
#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 256;
  const size_t bytes = n * n * sizeof(float);
  float *a = (float *)malloc(bytes), *c = (float *)malloc(bytes);
  float *da, *dc;
  cudaMalloc(&da, bytes);
  cudaMalloc(&dc, bytes);
  for (int i = 0; i < n * n; ++i)
    a[i] = i % 7 - 3;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, stream);
  float one = 1, zero = 0;
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, da, n, da, n,
              &zero, dc, n);
  for (int i = 0; i < n * n; ++i)
    a[i] = 100;
  cudaStreamSynchronize(stream);
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum += c[i] * (i % 11);
  std::printf("%g %g\n", c[3 * n + 3], sum + a[5]);
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
  cudaFree(da);
  cudaFree(dc);
  free(a);
  free(c);
  return 0;
}
