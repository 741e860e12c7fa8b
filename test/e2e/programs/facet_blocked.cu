// The destructor of a locale runs that of the program's facet, which changes how much the loop writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined
#include "e2e.h"
#include <locale>

static int count = N;

struct Facet : std::locale::facet {
  static std::locale::id id;
  ~Facet() override { count = N / 2; }
};
std::locale::id Facet::id;

__global__ void set(int *p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = v + i;
}

int main() {
  std::locale *mine = new std::locale(std::locale::classic(), new Facet);
  int *h = (int *)malloc(N * sizeof(int)), *d;
  if (!h)
    return 2;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  for (int i = 0; i < N; ++i)
    h[i] = i;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  set<<<(N + 255) / 256, 256>>>(d, N, 5000);
  CHECK(cudaDeviceSynchronize());
  delete mine;
  for (int i = 0; i < count; ++i)
    h[i] = -i;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  set<<<(N + 255) / 256, 256>>>(d, 10, 7);
  CHECK(cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d %d %d\n", h[3], h[499], h[N - 1]);
  cudaFree(d);
  free(h);
}
