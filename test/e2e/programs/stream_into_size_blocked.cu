// A stream writes into the variable that holds the size: the second loop fills a part of h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -w
// EXPECT: h d declined
#include "e2e.h"
#include <strstream>

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

static int n = N;
static std::ostrstream out((char *)&n, sizeof(int));

__attribute__((noinline)) static void work() {
  size_t bytes = size_t(n) * sizeof(int);
  int *h = (int *)malloc(bytes), *d;
  if (!h || cudaMalloc(&d, bytes))
    return;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  if (cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice) || cudaMemset(d, 1, bytes) || cudaDeviceSynchronize())
    return;
  const int half = N / 2;
  out.write((const char *)&half, sizeof(int));
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

int main() { work(); }
