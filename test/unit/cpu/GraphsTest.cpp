//===- GraphsTest.cpp - Graphs: launches and what they order --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs when a graph is launched, in which order, and what later changes of
// graph and launch mean. Errors are compared with a GPU's by
// test/e2e/programs/graph_errors.cu.
//
//===----------------------------------------------------------------------===//
#include "GraphCalls.h"

#include <atomic>
#include <thread>

/// Ids in the order in which they ran; what has the gate's number waits first.
struct Log {
  std::atomic<int> Gate{0}, Next{0};
  std::atomic<int> Order[256] = {};
  int place(int Id) const {
    for (int I = 0; I != Next; ++I)
      if (Order[I] == Id)
        return I;
    return -1;
  }
};
static constexpr int Gated = 1000;
static void logged(const EchoCpuBlock *B) {
  auto *L = param<Log *>(B, 0);
  int Id = param<int>(B, 1);
  while (Id >= Gated && !L->Gate)
    std::this_thread::yield();
  L->Order[L->Next++] = Id;
}
static void logHost(void *Data) {
  auto *L = static_cast<Log *>(Data);
  L->Order[L->Next++] = -7;
}

TEST_CASE("a graph runs its nodes as the edges say") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  TestGraph G;
  Log L;
  cudaGraphNode_t A = G.add(K, &L, 1), B = G.add(K, &L, 2, {A}),
                  C = G.add(K, &L, 3, {A});
  cudaHostNodeParams H = {logHost, &L};
  cudaGraphNode_t N[] = {B, C}, Host;
  REQUIRE_CUDA(cudaGraphAddHostNode(&Host, G.Graph, N, 2, &H));
  G.add(K, &L, 4, {Host});
  cudaGraphExec_t X = G.instantiate();
  CHECK(L.Next == 0);
  for (int I = 0; I != 3; ++I)
    REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaStreamSynchronize(nullptr));
  REQUIRE(L.Next == 15);
  for (int I = 0; I != 15; I += 5) {
    CHECK(L.Order[I] == 1);
    CHECK(L.Order[I + 1] + L.Order[I + 2] == 5);
    CHECK(L.Order[I + 3] == -7);
    CHECK(L.Order[I + 4] == 4);
  }
  CHECK_CUDA(cudaGraphExecDestroy(X));
}

TEST_CASE("a launch is one piece of work of its stream") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  TestGraph G;
  Log L;
  G.add(K, &L, Gated + 1);
  G.add(K, &L, 2);
  cudaGraphExec_t X = G.instantiate();
  cudaStream_t S, Other;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaGraphLaunch(X, S));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, S, &L, 3));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, Other, &L, 4));
  REQUIRE_CUDA(cudaStreamSynchronize(Other));
  // The stream holds what the graph does; other streams go on.
  CHECK(cudaStreamQuery(S) == cudaErrorNotReady);
  CHECK(L.place(4) >= 0);
  CHECK(L.place(3) < 0);
  L.Gate = 1;
  REQUIRE_CUDA(cudaStreamSynchronize(S));
  CHECK(L.place(3) == 3);
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK_CUDA(cudaStreamDestroy(S));
  CHECK_CUDA(cudaStreamDestroy(Other));
  cudaGetLastError();
}

TEST_CASE("launches of one graph follow each other, those of two need not") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  TestGraph G;
  Log L;
  G.add(K, &L, Gated);
  cudaGraphExec_t X = G.instantiate();
  cudaStream_t S[2];
  for (cudaStream_t &Each : S)
    REQUIRE_CUDA(cudaStreamCreateWithFlags(&Each, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaGraphLaunch(X, S[0]));
  REQUIRE_CUDA(cudaGraphLaunch(X, S[1]));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, S[1], &L, 5));
  TestGraph Free;
  Free.add(K, &L, 6);
  cudaGraphExec_t Y = Free.instantiate();
  cudaStream_t Third;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&Third, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaGraphLaunch(Y, Third));
  REQUIRE_CUDA(cudaStreamSynchronize(Third));
  CHECK(L.Next == 1);
  // What is destroyed still runs.
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK(cudaGraphLaunch(X, Third) == cudaErrorInvalidValue);
  L.Gate = 1;
  for (cudaStream_t Each : S)
    REQUIRE_CUDA(cudaStreamSynchronize(Each));
  CHECK(L.Next == 4);
  CHECK(L.Order[3] == 5);
  CHECK_CUDA(cudaGraphExecDestroy(Y));
  for (cudaStream_t Each : {S[0], S[1], Third})
    CHECK_CUDA(cudaStreamDestroy(Each));
  cudaGetLastError();
}

TEST_CASE("a child is a part of its graph, and a copy") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  Log L;
  TestGraph Outer;
  cudaGraphNode_t Before = Outer.add(K, &L, 1), Child, Empty;
  {
    TestGraph Inner, None;
    Inner.add(K, &L, 2);
    Inner.add(K, &L, 3);
    REQUIRE_CUDA(cudaGraphAddChildGraphNode(&Child, Outer.Graph, &Before, 1,
                                            Inner.Graph));
    REQUIRE_CUDA(
        cudaGraphAddChildGraphNode(&Empty, Outer.Graph, &Child, 1, None.Graph));
    Inner.add(K, &L, 9);
  }
  Outer.add(K, &L, 4, {Empty});
  cudaGraphExec_t X = Outer.instantiate();
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  REQUIRE(L.Next == 4);
  CHECK(L.Order[0] == 1);
  CHECK(L.Order[1] + L.Order[2] == 5);
  CHECK(L.Order[3] == 4);
  CHECK_CUDA(cudaGraphExecDestroy(X));
}

TEST_CASE("a graph that was instantiated changes alone") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  Log L;
  TestGraph G;
  cudaGraphNode_t A = G.add(K, &L, 1), B = G.add(K, &L, 2, {A});
  cudaGraphExec_t X = G.instantiate();
  Log *Where = &L;
  uint64_t Id = 8;
  void *Args[] = {&Where, &Id};
  cudaKernelNodeParams P = {
      const_cast<void *>(K.stub()), {}, {}, 0, Args, nullptr};
  REQUIRE_CUDA(cudaGraphExecKernelNodeSetParams(X, A, &P));
  Id = 99; // copied at the call
  REQUIRE_CUDA(cudaGraphNodeSetEnabled(X, B, 0));
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaGraphNodeSetEnabled(X, B, 1));
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(L.Next == 3);
  CHECK((L.Order[0] == 8 && L.Order[1] == 8 && L.Order[2] == 2));
  // The graph is as it was.
  cudaGraphExec_t Y = G.instantiate();
  REQUIRE_CUDA(cudaGraphLaunch(Y, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(L.Order[3] == 1);
  TestGraph Same, Wider;
  Same.add(K, &L, 6, {Same.add(K, &L, 5)});
  Wider.add(K, &L, 6);
  Wider.add(K, &L, 5);
  cudaGraphExecUpdateResultInfo I;
  CHECK(cudaGraphExecUpdate(Y, Wider.Graph, &I) ==
        cudaErrorGraphExecUpdateFailure);
  CHECK(I.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK_CUDA(cudaGraphExecUpdate(Y, Same.Graph, &I));
  L.Next = 0;
  REQUIRE_CUDA(cudaGraphLaunch(Y, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK((L.Next == 2 && L.Order[0] == 5 && L.Order[1] == 6));
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK_CUDA(cudaGraphExecDestroy(Y));
  cudaGetLastError();
}

TEST_CASE("nodes record and await events") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  Log L;
  cudaEvent_t Start, Done;
  cudaStream_t S;
  REQUIRE_CUDA(cudaEventCreate(&Start));
  REQUIRE_CUDA(cudaEventCreate(&Done));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking));
  TestGraph G;
  cudaGraphNode_t Wait, Record;
  REQUIRE_CUDA(cudaGraphAddEventWaitNode(&Wait, G.Graph, nullptr, 0, Start));
  cudaGraphNode_t A = G.add(K, &L, 2, {Wait});
  REQUIRE_CUDA(cudaGraphAddEventRecordNode(&Record, G.Graph, &A, 1, Done));
  G.add(K, &L, Gated, {A});
  cudaGraphExec_t X = G.instantiate();
  REQUIRE_CUDA(K.launch({1}, {1}, 0, S, &L, 1));
  REQUIRE_CUDA(cudaEventRecord(Start, S));
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  // The event stands for a part of the graph.
  REQUIRE_CUDA(cudaEventSynchronize(Done));
  CHECK(L.Next == 2);
  CHECK((L.Order[0] == 1 && L.Order[1] == 2));
  L.Gate = 1;
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(L.Next == 3);
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK_CUDA(cudaEventDestroy(Start));
  CHECK_CUDA(cudaEventDestroy(Done));
  CHECK_CUDA(cudaStreamDestroy(S));
}

TEST_CASE("sets of wider elements, copies of what memory then holds") {
  uint16_t *D, H[6] = {};
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&D), 16));
  REQUIRE_CUDA(cudaMemset(D, 0, 16));
  TestGraph G;
  cudaGraphNode_t Set, Copy;
  cudaMemsetParams P = {D, 0, 0x11234, 2, 3, 1};
  REQUIRE_CUDA(cudaGraphAddMemsetNode(&Set, G.Graph, nullptr, 0, &P));
  REQUIRE_CUDA(cudaGraphAddMemcpyNode1D(&Copy, G.Graph, &Set, 1, H, D, 8,
                                        cudaMemcpyDeviceToHost));
  cudaGraphExec_t X = G.instantiate();
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK((H[0] == 0x1234 && H[2] == 0x1234 && H[3] == 0));
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK_CUDA(cudaFree(D));
}

TEST_CASE("child: open order", "[.]") {
  TestKernel K("logged", TestKernel::Loop, logged, 2);
  TestGraph G;
  Log L;
  for (int I = 1; I != 9; ++I)
    G.add(K, &L, I);
  cudaGraphExec_t X = G.instantiate();
  REQUIRE_CUDA(cudaGraphLaunch(X, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  bool Swapped = false;
  for (int I = 1; I != L.Next; ++I)
    Swapped |= L.Order[I] < L.Order[I - 1];
  CHECK(L.Next == 8);
  CHECK(Swapped);
  CHECK_CUDA(cudaGraphExecDestroy(X));
}

TEST_CASE("nodes without edges run in another order, where schedules may") {
  for (const char *Schedule : {"lazy", "random:1", "random:2"}) {
    ChildResult R = runChild(
        "child: open order",
        {"ECHO_CPU_THREADS=1", "ECHO_CPU_SCHED=" + std::string(Schedule)});
    INFO(R.Output);
    CHECK(R.Status == 0);
  }
}
