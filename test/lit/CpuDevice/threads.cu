// Eight threads use one pair's place. ThreadSanitizer, which sees the program's
// code only, is told what orders echort's own memory.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -g -O1 -fsanitize=thread --min-bytes=1 %s -o %t
// RUN: env ECHO_BACKING=system setarch -R %t 2>&1 | FileCheck %s
// RUN: env ECHO_BACKING=mapped setarch -R %t 2>&1 | FileCheck %s
// CHECK-NOT: WARNING
// CHECK: 1108845440
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

static __global__ void triple(int *d, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    d[i] = d[i] * 3 + 1;
}

static __attribute__((noinline)) long work(int n) {
  int *h = (int *)malloc(n * sizeof(int)), *d;
  if (!h || cudaMalloc(&d, n * sizeof(int)))
    return -1;
  for (int i = 0; i < n; i++)
    h[i] = i;
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  triple<<<(n + 255) / 256, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  long s = 0;
  for (int i = 0; i < n; i++)
    s += h[i];
  cudaFree(d);
  free(h);
  return s;
}

static long sums[8];
static void *run(void *argument) {
  long i = (long)argument;
  for (int r = 0; r < 20; r++)
    sums[i] += work(1000 + ((r * 7 + i * 13) % 5) * 512);
  return nullptr;
}

int main() {
  pthread_t threads[8];
  for (long i = 0; i < 8; i++)
    pthread_create(&threads[i], nullptr, run, (void *)i);
  long sum = 0;
  for (int i = 0; i < 8; i++) {
    pthread_join(threads[i], nullptr);
    sum += sums[i];
  }
  printf("%ld\n", sum);
}
