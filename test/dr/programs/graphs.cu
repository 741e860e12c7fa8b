//===- graphs.cu - Copies beside graphs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop uploads, works and downloads; a graph of the program's own does so with
// other buffers in between. Where the loop's copies themselves are captured, the
// graph has the nodes that the program put in.
//
// CASE: beside   | skips-unless-managed no-waits
// CASE: captured | no-waits
// CASE: nodes    | no-waits
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

__global__ void work(const unsigned char *In, unsigned char *Out) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  Out[I] = In[I] * 3 + 1;
}

struct Buffers {
  unsigned char *H, *O, *In, *Out;
  Buffers() {
    H = static_cast<unsigned char *>(malloc(N));
    O = static_cast<unsigned char *>(malloc(N));
    cudaMalloc(&In, N);
    cudaMalloc(&Out, N);
  }
  ~Buffers() {
    cudaFree(In);
    cudaFree(Out);
    free(H);
    free(O);
  }
  void queue(cudaStream_t S) const {
    cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
    work<<<N / 256, 256, 0, S>>>(In, Out);
    cudaMemcpyAsync(O, Out, N, cudaMemcpyDeviceToHost, S);
  }
  cudaGraph_t nodes() const {
    cudaGraph_t Graph;
    cudaGraphNode_t Up, Node, Down;
    void *Args[] = {const_cast<unsigned char **>(&In),
                    const_cast<unsigned char **>(&Out)};
    cudaKernelNodeParams P = {};
    P.func = reinterpret_cast<void *>(work);
    P.gridDim = dim3(N / 256);
    P.blockDim = dim3(256);
    P.kernelParams = Args;
    cudaGraphCreate(&Graph, 0);
    cudaGraphAddMemcpyNode1D(&Up, Graph, nullptr, 0, In, H, N,
                             cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&Node, Graph, &Up, 1, &P);
    cudaGraphAddMemcpyNode1D(&Down, Graph, &Node, 1, O, Out, N,
                             cudaMemcpyDeviceToHost);
    return Graph;
  }
};

int main(int, char **Args) {
  Case = Args[1];
  Buffers Loop, Other;
  Buffers &OfGraph = is("beside") ? Other : Loop;
  cudaStream_t S, Made;
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  cudaStreamCreate(&S);
  cudaStreamCreateWithFlags(&Made, cudaStreamNonBlocking);
  unsigned long long Sum = 0;
  for (int I = 0; I != 8; ++I) {
    memset(Loop.H, I + 1, N);
    Loop.queue(S);
    cudaStreamSynchronize(S);
    Sum = Sum * 31 + Loop.O[I];
    if (I == 3 && is("captured")) {
      cudaStreamBeginCapture(Made, cudaStreamCaptureModeGlobal);
      OfGraph.queue(Made);
      cudaStreamEndCapture(Made, &Graph);
    } else if (I == 3) {
      Graph = OfGraph.nodes();
    }
    if (I == 3)
      cudaGraphInstantiate(&Exec, Graph, 0);
    if (I < 3)
      continue;
    memset(OfGraph.H, 100 + I, N);
    cudaGraphLaunch(Exec, S);
    cudaStreamSynchronize(S);
    Sum = Sum * 31 + OfGraph.O[I];
  }
  cudaGraphExecDestroy(Exec);
  cudaGraphDestroy(Graph);
  cudaStreamDestroy(S);
  cudaStreamDestroy(Made);
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
}
