// operator new runs the new handler, which records the event anew: the wait for it
// does not cover the kernel any more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined
#include "e2e.h"
#include <new>

static cudaEvent_t event;
static cudaStream_t other;
char *keep;

static void more() {
  cudaEventRecord(event, other);
  std::set_new_handler(nullptr);
}

__global__ void slow(const int *p, int n, int *sum) {
  int s = 0;
  for (int round = 0; round < 20; ++round)
    for (int i = 0; i < n; ++i)
      s = s * 3 + p[i];
  *sum = s;
}

int main(int argc, char **) {
  cudaStream_t own;
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));
  std::set_new_handler(more);
  int *sum, *d, seen;
  CHECK(cudaMalloc(&sum, sizeof(int)));
  int *h = (int *)malloc(N * sizeof(int));
  if (!h)
    return 1;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  for (int i = 0; i < N; ++i)
    h[i] = i;
  CHECK(cudaMemcpyAsync(d, h, N * sizeof(int), cudaMemcpyHostToDevice, own));
  CHECK(cudaStreamSynchronize(own));
  slow<<<1, 1, 0, own>>>(d, N, sum);
  CHECK(cudaEventRecord(event, own));
  keep = new (std::nothrow) char[size_t(1) << 60];
  CHECK(cudaEventSynchronize(event));
  for (int i = 0; i < N; ++i)
    h[i] = -7 * i;
  CHECK(cudaMemcpyAsync(d, h, N * sizeof(int), cudaMemcpyHostToDevice, own));
  CHECK(cudaStreamSynchronize(own));
  CHECK(cudaMemcpy(&seen, sum, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", seen);
  slow<<<1, 1, 0, own>>>(d, N, sum);
  CHECK(cudaStreamSynchronize(own));
  CHECK(cudaMemcpy(&seen, sum, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d %d\n", seen, keep == nullptr);
  if (argc > 9)
    more();
  cudaFree(d);
  cudaFree(sum);
  free(h);
}
