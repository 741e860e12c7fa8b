// cublasSetVector and its kind as the copies that link buffers: vectors, matrices,
// in a stream, and with the status that the program looks at. A matrix whose rows are
// not next to each other stays a call of the library.
// EXPECT: x dx unified
// EXPECT: m dm unified
// EXPECT: y dy unified
// EXPECT: s ds declined unknown-call
// NEEDS: cublas
// FLAGS: -lcublas
#include "library.h"
#include <cublas_v2.h>

__global__ void twice(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

static double sum(const float *p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * (i % 13);
  return s;
}

int main() {
  const int rows = 384, columns = 320, n = rows * columns;
  const size_t bytes = n * sizeof(float);
  float *x = (float *)malloc(bytes), *m = (float *)malloc(bytes);
  float *s = (float *)malloc(bytes), *y;
  CHECK(cudaMallocHost(&y, bytes));
  float *dx, *dm, *ds, *dy;
  CHECK(cudaMalloc(&dx, bytes));
  CHECK(cudaMalloc(&dm, bytes));
  CHECK(cudaMalloc(&ds, bytes));
  CHECK(cudaMalloc(&dy, bytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < n; ++i) {
    x[i] = i % 7 - 3;
    m[i] = i % 5 - 2;
    s[i] = i % 3;
  }
  for (int round = 0; round < 3; ++round) {
    CHECK(cublasSetVector(n, sizeof(float), x, 1, dx, 1));
    twice<<<n / 128, 128>>>(dx, n);
    cublasStatus_t status = cublasGetVector(n, sizeof(float), dx, 1, x, 1);
    std::printf("%d: %d %g\n", round, status, sum(x, n));
    x[round] += 1;

    status = cublasSetMatrix(rows, columns, sizeof(float), m, rows, dm, rows);
    twice<<<n / 256, 256>>>(dm, n);
    CHECK(cublasGetMatrix(rows, columns, sizeof(float), dm, rows, m, rows));
    std::printf("%d: %d %g\n", round, status, sum(m, n));

    for (int i = 0; i < n; ++i)
      y[i] = x[i] + round;
    CHECK(cublasSetVectorAsync(n, sizeof(float), y, 1, dy, 1, stream));
    twice<<<n / 128, 128, 0, stream>>>(dy, n);
    CHECK(cublasGetVectorAsync(n, sizeof(float), dy, 1, y, 1, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("%d: %g\n", round, sum(y, n));
  }
  // The second half of each column goes on top of its first one.
  CHECK(cudaMemcpy(ds, s, bytes, cudaMemcpyHostToDevice));
  twice<<<n / 128, 128>>>(ds, n);
  CHECK(cublasGetMatrix(rows / 2, columns, sizeof(float), ds + rows / 2, rows,
                        s, rows));
  std::printf("%g\n", sum(s, n));
  std::printf("%d\n", cublasSetVector(n, 0, s, 1, ds, 1));
  CHECK(cudaStreamDestroy(stream));
  free(x);
  free(m);
  free(s);
  CHECK(cudaFreeHost(y));
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dm));
  CHECK(cudaFree(ds));
  CHECK(cudaFree(dy));
  return 0;
}
