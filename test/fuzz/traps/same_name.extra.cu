// The other file of same_name: its kernel writes both buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>

static __global__ void work(float *data, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] += 1;
    out[i] = data[i] * 2;
  }
}

static double all(const float *h, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += h[i];
  return total;
}

void other() {
  constexpr int N = 1 << 16;
  constexpr size_t Bytes = N * sizeof(float);
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *da = nullptr, *db = nullptr;
  cudaMalloc(&da, Bytes);
  cudaMalloc(&db, Bytes);
  for (int i = 0; i < N; ++i)
    ha[i] = i % 10;
  cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice);
  work<<<N / 128, 128>>>(da, db, N);
  cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost);
  printf("%.0f %.0f\n", all(ha, N), all(hb, N));
  cudaFree(da);
  cudaFree(db);
  free(ha);
  free(hb);
}
