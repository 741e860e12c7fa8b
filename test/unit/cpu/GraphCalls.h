//===- GraphCalls.h - The graph calls that the tests make -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares graphs of the runtime API as programs see them, and what makes nodes
// of test kernels.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPU_GRAPHCALLS_H
#define ECHO_TEST_UNIT_CPU_GRAPHCALLS_H

#include "Support.h"
#include "runtime/cpu/graphs/GraphTypes.h"

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphClone(cudaGraph_t *, cudaGraph_t);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *, cudaGraphNode_t,
                                     cudaGraph_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t,
                                  const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaMemsetParams *);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t,
                                     const cudaGraphNode_t *, size_t, void *,
                                     const void *, size_t, cudaMemcpyKind);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t,
                                 const cudaGraphNode_t *, size_t,
                                 const cudaHostNodeParams *);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t,
                                       const cudaGraphNode_t *, size_t,
                                       cudaGraph_t);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *, cudaGraph_t,
                                        const cudaGraphNode_t *, size_t,
                                        cudaEvent_t);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *, cudaGraph_t,
                                      const cudaGraphNode_t *, size_t,
                                      cudaEvent_t);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t,
                                cudaGraphExecUpdateResultInfo *);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaKernelNodeParams *);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
}

/// A graph of tests: its nodes are kernels with two parameters.
struct TestGraph {
  cudaGraph_t Graph = nullptr;
  TestGraph() { REQUIRE_CUDA(cudaGraphCreate(&Graph, 0)); }
  ~TestGraph() { CHECK_CUDA(cudaGraphDestroy(Graph)); }
  TestGraph(const TestGraph &) = delete;
  TestGraph &operator=(const TestGraph &) = delete;

  cudaGraphNode_t add(const TestKernel &K, void *A, uint64_t B,
                      std::vector<cudaGraphNode_t> Needs = {}) {
    void *Args[] = {&A, &B};
    cudaKernelNodeParams P = {
        const_cast<void *>(K.stub()), {}, {}, 0, Args, nullptr};
    cudaGraphNode_t Node = nullptr;
    REQUIRE_CUDA(
        cudaGraphAddKernelNode(&Node, Graph, Needs.data(), Needs.size(), &P));
    return Node;
  }
  cudaGraphExec_t instantiate() const {
    cudaGraphExec_t Exec = nullptr;
    REQUIRE_CUDA(cudaGraphInstantiate(&Exec, Graph, 0));
    return Exec;
  }
};

#endif
