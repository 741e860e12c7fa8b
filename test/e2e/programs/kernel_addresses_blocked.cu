// As kernel_addresses, but each kernel keeps or shows the address: it compares
// it with another buffer's, stores it, uses more than its low bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da declined captured-by-kernel
// EXPECT: hb db declined captured-by-kernel
// EXPECT: hc dc declined captured-by-kernel
// EXPECT: he de declined captured-by-kernel
#include "e2e.h"

__global__ void loop(float *v, float *other) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && v + i != other)
    v[i] += 1;
}

__global__ void words(unsigned short *v) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 2 * N)
    return;
  size_t at = (size_t)(v + i);
  // More than the low bits of the address is looked at.
  atomicAdd((unsigned *)(at & ~(size_t)3), (at & ~(size_t)4095) ? 1u : 2u);
}

__device__ float *row;
__global__ void rows(float *v) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    row = v;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    v[i] *= 2;
}

struct View {
  float *v;
  float **kept;
};
__device__ __noinline__ void add(const View &view, int i) {
  if (i == 0)
    *view.kept = view.v;
  if (i < N)
    view.v[i] += 3;
}
__global__ void views(View view) {
  add(view, blockIdx.x * blockDim.x + threadIdx.x);
}

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *hc = (float *)malloc(Bytes), *he = (float *)malloc(Bytes);
  fill(ha, N, 1);
  memset(hb, 1, Bytes);
  fill(hc, N, 2);
  fill(he, N, 3);
  float *da, *db, *dc, *de, **kept;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMalloc(&dc, Bytes));
  CHECK(cudaMalloc(&de, Bytes));
  CHECK(cudaMalloc(&kept, sizeof(float *)));
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dc, hc, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(de, he, Bytes, cudaMemcpyHostToDevice));
  loop<<<Blocks, Threads>>>(da, de);
  words<<<Blocks, Threads>>>((unsigned short *)db);
  rows<<<Blocks, Threads>>>(dc);
  views<<<Blocks, Threads>>>({de, kept});
  CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hc, dc, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(he, de, Bytes, cudaMemcpyDeviceToHost));
  unsigned total = 0;
  for (int i = 0; i < 2 * N; ++i)
    total = total * 31 + ((unsigned short *)hb)[i];
  printf("%.0f %u %.0f %.0f\n", sum(ha, N), total, sum(hc, N), sum(he, N));
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(de);
  cudaFree(kept);
  free(ha);
  free(hb);
  free(hc);
  free(he);
}
