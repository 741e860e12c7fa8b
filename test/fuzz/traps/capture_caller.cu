// The caller captures the stream: the function's upload and kernels are then in
// a graph, which starts from the host's content each time it is launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: table dt declined stream-capture
#include "e2e.h"

/// Adds a table to out, which the kernels scale on the way.
__attribute__((noinline)) static void addTable(float *out, cudaStream_t s) {
  float *table, *dt;
  CHECK(cudaMallocHost(&table, Bytes));
  CHECK(cudaMalloc(&dt, Bytes));
  fill(table, N, 3);
  CHECK(cudaMemcpyAsync(dt, table, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(dt, N, 1.0f);
  saxpy<<<Blocks, Threads, 0, s>>>(N, 2.0f, dt, out);
} // the graph needs both buffers

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  addTable(dx, s);
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaGraphLaunch(exec, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
