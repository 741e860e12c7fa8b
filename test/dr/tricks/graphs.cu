//===- graphs.cu - Loops whose buffers a graph may use --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As tricks.cu: the same loop each time, with a graph beside it. One that works
// on memory of its own passes, also where a kernel node is aimed at device
// buffers: a kernel may use any. A copy or set of a node, and any capture, does
// not; nor does a node that records an event, which nobody is seen to record.
//
// VALIDATE: none             | in=pass out=pass
// VALIDATE: own-copy         | in=pass out=pass
// VALIDATE: kernel-node      | in=pass out=pass
// VALIDATE: captured         | in=Graph out=Graph
// VALIDATE: captured-into    | in=Graph out=Graph
// VALIDATE: copy-node        | in=Graph out=pass
// VALIDATE: copy-node-3d     | in=Graph out=pass
// VALIDATE: generic-node     | in=Graph out=pass
// VALIDATE: download-node    | in=pass out=Graph
// VALIDATE: node-params      | in=Graph out=pass
// VALIDATE: exec-params      | in=Graph out=pass
// VALIDATE: exec-generic     | in=Graph out=pass
// VALIDATE: set-node         | in=Graph out=pass
// VALIDATE: record-node      | in=Graph out=Graph
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned char *H, *O, *In, *Out, *Own, *OwnHost;
static cudaStream_t S;
static cudaGraph_t Graph;
static cudaGraphExec_t Exec;

static cudaMemcpy3DParms shape(void *Dst, void *Src, cudaMemcpyKind Kind) {
  cudaMemcpy3DParms P = {};
  P.dstPtr = make_cudaPitchedPtr(Dst, N, N, 1);
  P.srcPtr = make_cudaPitchedPtr(Src, N, N, 1);
  P.extent = make_cudaExtent(N, 1, 1);
  P.kind = Kind;
  return P;
}

static cudaGraphNodeParams generic(void *Dst, void *Src, cudaMemcpyKind Kind) {
  cudaGraphNodeParams P = {};
  P.type = cudaGraphNodeTypeMemcpy;
  P.memcpy.copyParams = shape(Dst, Src, Kind);
  return P;
}

static cudaGraphNode_t addKernel() {
  size_t Count = 64;
  void *Args[] = {&In, &Own, &Count};
  cudaKernelNodeParams P = {};
  cudaGraphNode_t Node;
  P.func = reinterpret_cast<void *>(work);
  P.gridDim = dim3(1);
  P.blockDim = dim3(64);
  P.kernelParams = Args;
  cudaGraphAddKernelNode(&Node, Graph, nullptr, 0, &P);
  return Node;
}

/// A node that copies memory of its own, and may then be aimed elsewhere.
static cudaGraphNode_t addOwn() {
  cudaGraphNode_t Node;
  cudaGraphAddMemcpyNode1D(&Node, Graph, nullptr, 0, Own, OwnHost, N,
                           cudaMemcpyHostToDevice);
  return Node;
}

static void addNode() {
  constexpr auto Up = cudaMemcpyHostToDevice;
  cudaGraphNode_t Node = nullptr;
  cudaMemcpy3DParms P = shape(In, H, Up);
  cudaGraphNodeParams G = generic(In, H, Up);
  if (is("copy-node"))
    cudaGraphAddMemcpyNode1D(&Node, Graph, nullptr, 0, In, H, N, Up);
  else if (is("copy-node-3d"))
    cudaGraphAddMemcpyNode(&Node, Graph, nullptr, 0, &P);
  else if (is("generic-node"))
    cudaGraphAddNode(&Node, Graph, nullptr, nullptr, 0, &G);
  else if (is("download-node"))
    cudaGraphAddMemcpyNode1D(&Node, Graph, nullptr, 0, O, Out, N,
                             cudaMemcpyDeviceToHost);
  else if (is("own-copy") || is("exec-params") || is("exec-generic"))
    Node = addOwn();
  else if (is("node-params"))
    cudaGraphMemcpyNodeSetParams(addOwn(), &P);
  else if (is("kernel-node"))
    addKernel();
  else if (is("set-node")) {
    cudaMemsetParams M = {In, 0, 7, 1, 64, 1};
    cudaGraphAddMemsetNode(&Node, Graph, nullptr, 0, &M);
  } else if (is("record-node")) {
    cudaEvent_t E;
    cudaEventCreate(&E);
    cudaGraphAddEventRecordNode(&Node, Graph, nullptr, 0, E);
  }
  cudaGraphInstantiate(&Exec, Graph, 0);
  if (is("exec-params"))
    cudaGraphExecMemcpyNodeSetParams1D(Exec, Node, In, H, N, Up);
  else if (is("exec-generic"))
    cudaGraphExecNodeSetParams(Exec, Node, &G);
}

/// What the loop does, into the graph.
static void makeGraph() {
  cudaGraphCreate(&Graph, 0);
  if (is("captured-into")) {
    cudaStreamBeginCaptureToGraph(S, Graph, nullptr, nullptr, 0,
                                  cudaStreamCaptureModeGlobal);
  } else if (is("captured")) {
    cudaGraphDestroy(Graph);
    cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal);
  } else {
    addNode();
    return;
  }
  cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
  cudaStreamEndCapture(S, &Graph);
  cudaGraphInstantiate(&Exec, Graph, 0);
}

int main(int, char **Args) {
  Case = Args[1];
  H = static_cast<unsigned char *>(malloc(N));
  O = static_cast<unsigned char *>(malloc(N));
  OwnHost = static_cast<unsigned char *>(calloc(N, 1));
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  cudaMalloc(&Own, N);
  cudaStreamCreate(&S);
  unsigned long long Sum = 0;
  for (int I = 0; I != 6; ++I) {
    memset(H, I + 1, N);
    cudaMemcpyAsync(In, H, N, cudaMemcpyHostToDevice, S);
    if (I == 2 && !is("none"))
      makeGraph();
    if (I > 2 && !is("none"))
      cudaGraphLaunch(Exec, S);
    work<<<N / 256, 256, 0, S>>>(In, Out, N);
    cudaMemcpyAsync(O, Out, N, cudaMemcpyDeviceToHost, S);
    cudaStreamSynchronize(S);
    for (size_t J = 0; J < N; J += 1001)
      Sum = Sum * 31 + O[J];
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  if (Exec) {
    cudaGraphExecDestroy(Exec);
    cudaGraphDestroy(Graph);
  }
  cudaStreamDestroy(S);
  for (unsigned char *D : {In, Out, Own})
    cudaFree(D);
  for (unsigned char *M : {H, O, OwnHost})
    free(M);
}
