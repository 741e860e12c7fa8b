// An array of the stack stays one where a pointer is something else, or what the change writes would be.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --min-bytes=1 --suggest a.patch -c a.cu && FileCheck --check-prefix=PATCH --input-file=a.patch %s
// A pointer is no array: for references, lambdas, templates, its type, and another size.
// RUN: sed 's/^  LEAVE$/  for (float \&x : h) x += 1;/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  auto f = [=] { return h[3]; }; h[3] = f() + 1;/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  printf("%%d", sizeOf(h));/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  decltype(h) g; g[0] = h[0];/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  float (*p)[N] = \&h; (*p)[0] = 1;/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  printf("%%zu", sizeof(argc, h));/' %s > b.cu && %suggest_none
// A macro may show the text of a size, and a word may mean something else later.
// RUN: sed 's/^  LEAVE$/  SHOW(sizeof(h));/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  SHOW(SIZE);/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/  { const int M = 4; printf("%%d", M); }/; s/float h.N./float h[M]/' %s > b.cu && %suggest_none
// RUN: sed 's/^  LEAVE$/#undef N\n#define N 64/' %s > b.cu && %suggest_none
// Code that is left out in this compilation counts.
// RUN: sed 's/^  LEAVE$/#ifdef NEVER\n  h.fill(3);\n#endif/' %s > b.cu && %suggest_none
// RUN: sed 's/^  float h.N.*/#ifdef NEVER\n  static float h[N];\n#else\n&\n#endif/' %s > b.cu && %suggest_none
// Nor an array with values, with another lifetime or alignment, with elements of a class, or beside another malloc().
// RUN: sed 's/float h.N./float h[N] = {1}/' %s > b.cu && %suggest_none
// RUN: sed 's/float h.N./float h[N] = {-0.0f}/' %s > b.cu && %suggest_none
// RUN: sed 's/float h.N./static float h[N]/' %s > b.cu && %suggest_none
// RUN: sed 's/float h.N./alignas(64) float h[N]/' %s > b.cu && %suggest_none
// RUN: sed 's/^int look/void free(float *); &/' %s > b.cu && %suggest_none
// RUN: sed 's/^int look/#define free(x) puts("freed")\n&/' %s > b.cu && %suggest_none
#include <cstdio>
#include <cstdlib>
#define N 4096
#define CHECK(x) do { if ((x) != cudaSuccess) { puts(#x); exit(1); } } while (0)
#define SHOW(x) printf("%s %zu\n", #x, (size_t)(x))
#define SIZE sizeof(h)
#define LEAVE
template <class T> int sizeOf(T &) { return sizeof(T); }
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int look() { return 1; }
int main(int argc, char **argv) {
  const int M = N;
  float h[N], c[4];
  float *d;
  CHECK(cudaMalloc(&d, N * sizeof(float)));
  for (int i = 0; i < N; ++i)
    h[i] = i;
  c[0] = h[1];
  LEAVE
  CHECK(cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice));
  twice<<<N / 256, 256>>>(d);
  cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %zu\n", h[N - 1], c[0], sizeof h);
  cudaFree(d);
}
// PATCH: {{^}}+  float *h = (float *)malloc(sizeof(float[N])), c[4];
