// What plugin.cpp loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

extern "C" void run(const int *LookUps) {
  const int N = 1 << 16;
  int *H = static_cast<int *>(malloc(N * sizeof(int))), *D;
  cudaMalloc(&D, N * sizeof(int));
  int Before = 0;
  for (int Round = 0; Round != 3; ++Round) {
    if (Round == 1)
      Before = *LookUps;
    for (int I = 0; I != N; ++I)
      H[I] = I + Round;
    cudaMemcpy(D, H, N * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D);
    cudaMemcpy(H, D, N * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", H[N - 1]);
  }
  std::printf("%s\n",
              *LookUps == Before ? "settled" : "looked up again and again");
  free(H);
  cudaFree(D);
}
