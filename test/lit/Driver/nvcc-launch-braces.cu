// Lists in braces for the grid and the block of a launch, which nvcc takes. Other braces stay what they are.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w --device=cpu -O1 %s -o %t && %t
// RUN: %precompiled_cc -w -arch=sm_90 -c %s -o %t.o
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DLATER %s 2>&1 | FileCheck --check-prefix=LATER %s
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DGIVEN %s 2>&1 | FileCheck --check-prefix=GIVEN %s
// LATER: :[[#@LINE+29]]:{{[0-9]+}}: error: expected expression
// GIVEN: error: cannot initialize a parameter of type 'int *' with
#include <cstdio>

struct Sizes {
  int Blocks, Threads;
};
__global__ void count(int *p) { atomicAdd(p, blockDim.x * blockDim.y + 100 * gridDim.y); }
template <int X> void launch(int *p, cudaStream_t s) {
  dim3 grid(2, 1, 1);
  count<<<grid, {X, 2, 1}, 0, s>>>(p);
}
__global__ void given(int *p) { *p += 1; }
int number(Sizes s) { return s.Blocks * s.Threads; }

int main() {
  int *d, h = 0;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  launch<4>(d, nullptr);
  count<<<{1, 3}, {2}>>>(d);
  count<<<
      // The block is {1, 2}.
      number({1, 1}), {1, 2}>>>(d);
  given<<<{}, {}>>>({d});
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d\n", h);
#ifdef LATER
  count<<<{1, 1}, {1}, {0, 1}>>>(d);
#endif
#ifdef GIVEN
  count<<<1, 1>>>({1.5});
#endif
  return h == (8 + 100) * 16 + (2 + 300) * 6 + (2 + 100) * 2 + 1 ? 0 : 1;
}
