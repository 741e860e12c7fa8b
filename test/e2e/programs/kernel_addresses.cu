// Kernels that do much with an address and keep none: loops over pointers,
// words around smaller values, rows in shared variables, inline PTX, a function
// that gets a struct. Each pair has one of them; each kernel writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da unified
// EXPECT: hb db unified
// EXPECT: hc dc unified
// EXPECT: he de unified
#include "e2e.h"

__global__ void loop(float *v) {
  int step = gridDim.x * blockDim.x;
  for (float *p = v + blockIdx.x * blockDim.x + threadIdx.x; p < v + N;
       p += step)
    *p += 1;
}

// Adds 1 to the even ones of 16-bit numbers by adding to the word around them.
__global__ void words(unsigned short *v) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 2 * N)
    return;
  size_t at = (size_t)(v + i);
  atomicAdd((unsigned *)(at & ~(size_t)3), at & 2 ? 1u << 16 : 1u);
}

__global__ void rows(float *v) {
  __shared__ float *row;
  if (threadIdx.x == 0)
    row = v + blockIdx.x * blockDim.x;
  __syncthreads();
  if (blockIdx.x * blockDim.x + threadIdx.x < N)
    row[threadIdx.x] *= 2;
}

struct View {
  float *v;
  int from, to;
};
__device__ __noinline__ void add(const View &view, int i) {
  float *at = i < view.to ? view.v + i : nullptr;
  if (!at)
    return;
  float x;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(at));
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(at), "f"(x + 3) : "memory");
}
__global__ void views(View view) {
  add(view, view.from + blockIdx.x * blockDim.x + threadIdx.x);
}

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *hc = (float *)malloc(Bytes), *he = (float *)malloc(Bytes);
  fill(ha, N, 1);
  memset(hb, 1, Bytes);
  fill(hc, N, 2);
  fill(he, N, 3);
  float *da, *db, *dc, *de;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMalloc(&dc, Bytes));
  CHECK(cudaMalloc(&de, Bytes));
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dc, hc, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(de, he, Bytes, cudaMemcpyHostToDevice));
    loop<<<Blocks, Threads>>>(da);
    words<<<Blocks, Threads>>>((unsigned short *)db);
    rows<<<Blocks, Threads>>>(dc);
    views<<<Blocks, Threads>>>({de, round, N - round});
    CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hc, dc, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(he, de, Bytes, cudaMemcpyDeviceToHost));
    ha[round] += 1;
    hc[round] += sum(he, 4);
  }
  unsigned total = 0;
  for (int i = 0; i < 2 * N; ++i)
    total = total * 31 + ((unsigned short *)hb)[i];
  printf("%.0f %u %.0f %.0f\n", sum(ha, N), total, sum(hc, N), sum(he, N));
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(de);
  free(ha);
  free(hb);
  free(hc);
  free(he);
}
