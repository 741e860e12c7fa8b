// Pairs of vector types, doubles and bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hv dv unified
// EXPECT: hb db unified
#include "e2e.h"

__global__ void mix(const float4 *v, unsigned char *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = (unsigned char)(v[i].x + v[i].y * 2 + v[i].z * 3 + v[i].w * 4);
}

int main() {
  const int n = 1 << 18;
  std::vector<float4> hv(n);
  unsigned char *hb = new unsigned char[n];
  float4 *dv;
  unsigned char *db;
  CHECK(cudaMalloc(&dv, n * sizeof(float4)));
  CHECK(cudaMalloc(&db, n));
  for (int i = 0; i < n; ++i)
    hv[i] = make_float4(i % 5, i % 7, i % 11, i % 13);
  CHECK(cudaMemcpy(dv, hv.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  mix<<<n / 256, 256>>>(dv, db, n);
  CHECK(cudaMemcpy(hb, db, n, cudaMemcpyDeviceToHost));
  long total = 0;
  for (int i = 0; i < n; ++i)
    total += hb[i] * (i % 3 + 1);
  printf("%ld\n", total);
  cudaFree(dv);
  cudaFree(db);
  delete[] hb;
}
