// The library that was shown the pointers in an array works with the merged
// blocks: a program says the same as when it is compiled without a model.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 -DOTHER -c %s -o other.o
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o main.o --report report.txt --model=%S/Inputs/kept.model
// RUN: FileCheck --check-prefix=REPORT --input-file=report.txt %s
// RUN: %echo_cc -w --device=cpu main.o other.o -o kept
// RUN: env ECHO_BACKING=managed ECHO_VERBOSE=1 ./kept > merged.txt 2>&1
// RUN: FileCheck --input-file=merged.txt %s
// RUN: env ECHO_BACKING=split ./kept | FileCheck --check-prefix=SPLIT %s
// REPORT: 2 pairs: 2 unified
#include <cstdio>
#include <cstdlib>
extern "C" void kept_set(int count, const void *pointers) noexcept;
extern "C" void kept_run(int n) noexcept;

#ifdef OTHER
static float *kept[2];
__global__ void add(float *to, const float *what, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += what[i];
}
void kept_set(int count, const void *pointers) noexcept {
  for (int i = 0; i < count; ++i)
    kept[i] = static_cast<float *const *>(pointers)[i];
}
void kept_run(int n) noexcept {
  add<<<(n + 255) / 256, 256>>>(kept[0], kept[1], n);
}
#else
int main() {
  constexpr int N = 1 << 16;
  constexpr size_t Bytes = N * sizeof(float);
  float *to = (float *)malloc(Bytes), *what = (float *)malloc(Bytes);
  float *dTo, *dWhat;
  cudaMalloc(&dTo, Bytes);
  cudaMalloc(&dWhat, Bytes);
  for (int i = 0; i < N; ++i) {
    to[i] = i;
    what[i] = 2;
  }
  cudaMemcpy(dTo, to, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dWhat, what, Bytes, cudaMemcpyHostToDevice);
  void *pointers[] = {dTo, dWhat};
  kept_set(2, pointers);
  kept_run(N);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; ++i)
    what[i] = i % 3;
  cudaMemcpy(dWhat, what, Bytes, cudaMemcpyHostToDevice);
  kept_run(N);
  cudaMemcpy(to, dTo, Bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += to[i];
  // CHECK: sum 2147647487
  // SPLIT: sum 2147647487
  printf("sum %.0f\n", sum);
  cudaFree(dTo);
  cudaFree(dWhat);
  free(to);
  free(what);
}
#endif
