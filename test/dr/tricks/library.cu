//===- library.cu - A loop whose GPU work is a library's ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As tricks.cu. Work of cuBLAS is work of the GPU: without it, what comes back
// would look as if somebody else had written it.
//
// VALIDATE: library      | in=pass out=pass
// VALIDATE: library-read | in=HostAccess out=pass
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main(int, char **Args) {
  const bool Reads = !std::strcmp(Args[1], "library-read");
  const int N = 256;
  const size_t Bytes = N * N * sizeof(float);
  float *In = static_cast<float *>(malloc(Bytes)), *DIn;
  float *Out = static_cast<float *>(malloc(Bytes)), *DOut;
  cudaMalloc(&DIn, Bytes);
  cudaMalloc(&DOut, Bytes);
  cublasHandle_t Handle;
  cublasCreate(&Handle);
  const float One = 1, Zero = 0;
  float Sum = 0;
  for (int Round = 0; Round != 6; ++Round) {
    for (int I = 0; I != N * N; ++I)
      In[I] = float((I + Round) % 7);
    cudaMemcpy(DIn, In, Bytes, cudaMemcpyHostToDevice);
    cublasSgemm(Handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, DIn, N, DIn, N,
                &Zero, DOut, N);
    if (Reads && Round == 3)
      Sum += In[5];
    cudaMemcpy(Out, DOut, Bytes, cudaMemcpyDeviceToHost);
    Sum += Out[Round];
  }
  std::printf("%g\n", Sum);
  cublasDestroy(Handle);
  cudaFree(DIn);
  cudaFree(DOut);
  free(In);
  free(Out);
}
