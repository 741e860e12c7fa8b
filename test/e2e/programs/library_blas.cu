// cuBLAS between kernels: inputs and the product merge. The host writes an input
// again only after a wait.
// EXPECT: a da unified
// EXPECT: b db unified
// EXPECT: c dc unified
// NEEDS: cublas
// FLAGS: -lcublas
#include "library_blas.h"
#include <cublas_v2.h>

int main() {
  const int n = 256;
  const size_t bytes = n * n * sizeof(float);
  float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes);
  float *c = (float *)malloc(bytes);
  float *da, *db, *dc;
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMalloc(&db, bytes));
  CHECK(cudaMalloc(&dc, bytes));
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
  }
  CHECK(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  float one = 1, half = 0.5f, zero = 0;
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, da, n,
                      db, n, &zero, dc, n));
    addDiagonal<<<1, n>>>(dc, n, round);
    // The scalar is read at the call.
    CHECK(cublasSscal(handle, n, &half, dc, 1));
    half = 1;
    CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n * n; ++i)
      sum += c[i] * (i % 11);
    std::printf("%d: %g %g\n", round, c[3 * n + 3], sum);
    for (int i = 0; i < n; ++i)
      a[i] += round;
  }
  float norm;
  int largest;
  CHECK(cublasSnrm2(handle, n, dc, 1, &norm));
  CHECK(cublasIsamax(handle, n, dc, 1, &largest));
  std::printf("%.3f %d\n", norm, largest);
  CHECK(cublasDestroy(handle));
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  free(a);
  free(b);
  free(c);
  return 0;
}
