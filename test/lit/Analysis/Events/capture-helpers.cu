// A stream that comes from a table may be being captured, but not by a function
// in sight that leaves the GPU alone.
// REQUIRES: cpu-device
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=ACCEPT %s < %t.txt
// RUN: %echo_cc -w -O2 --device=cpu -DBEGINS -c %s -o %t.o --report=%t.txt
// RUN: FileCheck --check-prefix=BEGINS %s < %t.txt
// ACCEPT: 1 pair: 1 unified
// BEGINS: stream-capture
// BEGINS-NEXT: 'next' may capture a stream
#include <cstdio>
#include <cstdlib>
__global__ void k(float *d, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    d[i] *= 2;
}
__attribute__((noinline)) float next(unsigned &s) {
#ifdef BEGINS
  if (s == 7)
    cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
#endif
  s = s * 1103515245 + 12345;
  return s >> 16;
}
void fill(float *h, int n) {
  unsigned s = 1;
  for (int i = 0; i < n; i++)
    h[i] = next(s);
}
void run(cudaStream_t *streams, int argc) {
  int n = 1 << 16;
  float *h, *d;
  cudaMallocHost(&h, n * 4);
  cudaMalloc(&d, n * 4);
  fill(h, n);
  cudaMemcpyAsync(d, h, n * 4, cudaMemcpyHostToDevice, streams[argc]);
  k<<<n / 256, 256, 0, streams[argc]>>>(d, n);
  cudaMemcpyAsync(h, d, n * 4, cudaMemcpyDeviceToHost, streams[argc]);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += h[i];
  printf("%f\n", sum);
  cudaFree(d);
  cudaFreeHost(h);
}
int main(int argc, char **argv) {
  cudaStream_t s[4];
  for (auto &x : s)
    cudaStreamCreate(&x);
  run(s, argc);
  for (auto &x : s)
    cudaStreamDestroy(x);
}
