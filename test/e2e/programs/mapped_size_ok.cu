// As mapped_size_blocked, but the size is read once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"
#include <sys/mman.h>

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

__attribute__((noinline)) static void work(const int *size, FILE *file) {
  const int n = size[0];
  size_t bytes = size_t(n) * sizeof(int);
  int *h = (int *)malloc(bytes), *d;
  if (!h || cudaMalloc(&d, bytes))
    return;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  if (cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice) || cudaMemset(d, 1, bytes) || cudaDeviceSynchronize())
    return;
  int half = N / 2;
  rewind(file);
  fwrite(&half, sizeof(int), 1, file);
  fflush(file);
  for (int i = 0; i < n; ++i)
    h[i] = -i;
  printf("%d %d\n", h[499], h[N - 1]);
  if (cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice))
    return;
  inc<<<(N + 255) / 256, 256>>>(d, N);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[499], h[N - 1]);
  cudaFree(d);
  free(h);
}

int main() {
  FILE *file = tmpfile();
  int n = N;
  fwrite(&n, sizeof(int), 1, file);
  fflush(file);
  void *map = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
  if (map != MAP_FAILED)
    work((const int *)map, file);
}
