// A product of cuBLAS is captured into a graph, with scalars of the host as they are
// then; the graph multiplies what the matrices hold at each launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: cublas
// FLAGS: -lcublas
// EXPECT: no-unified
#include "e2e.h"
#include <cublas_v2.h>

#define BLAS(call)                                                             \
  do {                                                                         \
    if ((call) != CUBLAS_STATUS_SUCCESS) {                                     \
      printf("%s\n", #call);                                                   \
      exit(9);                                                                 \
    }                                                                          \
  } while (0)

int main() {
  constexpr int Side = 64;
  constexpr size_t Size = Side * Side * sizeof(float);
  float *h, *a, *b;
  cublasHandle_t handle;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMallocHost(&h, Size));
  CHECK(cudaMalloc(&a, Size));
  CHECK(cudaMalloc(&b, Size));
  CHECK(cudaStreamCreate(&s));
  BLAS(cublasCreate(&handle));
  BLAS(cublasSetStream(handle, s));
  fill(h, Side * Side, 1);
  float one = 1.0f, zero = 0.0f;
  // Once before: libraries get ready then.
  CHECK(cudaMemset(a, 0, Size));
  CHECK(cudaDeviceSynchronize());
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, Side, Side, Side, &one, a,
                   Side, a, Side, &zero, b, Side));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemcpyAsync(a, h, Size, cudaMemcpyHostToDevice, s));
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, Side, Side, Side, &one, a,
                   Side, a, Side, &zero, b, Side));
  one = 0;
  CHECK(cudaMemcpyAsync(h, b, Size, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int turn = 0; turn != 3; ++turn) {
    fill(h, Side * Side, turn);
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%.0f\n", sum(h, Side * Side));
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  BLAS(cublasDestroy(handle));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFreeHost(h));
}
