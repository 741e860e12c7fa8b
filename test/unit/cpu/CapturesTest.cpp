//===- CapturesTest.cpp - Streams that are captured -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes into a graph instead of running, and what comes of captures whose
// streams, threads and events end early. Errors are compared with a GPU's by
// test/e2e/programs/graph_capture_errors.cu.
//
//===----------------------------------------------------------------------===//
#include "GraphCalls.h"
#include "runtime/abi/CpuLibrary.h"

#include <thread>

static void add(const EchoCpuBlock *B) {
  *param<int *>(B, 0) += param<int>(B, 1);
}

static size_t countNodes(cudaGraph_t G) {
  size_t Count = 0;
  REQUIRE_CUDA(cudaGraphGetNodes(G, nullptr, &Count));
  return Count;
}

TEST_CASE("what is captured does not run, and runs at each launch") {
  TestKernel Add("add", TestKernel::Loop, add, 2);
  int *D, In = 1, Out = -1;
  cudaStream_t S;
  cudaGraph_t G;
  cudaGraphExec_t X;
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&D), sizeof(int)));
  REQUIRE_CUDA(cudaMemset(D, 0, sizeof(int)));
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  // Arguments are copied now, memory is read at the launch.
  REQUIRE_CUDA(cudaMemcpyAsync(D, &In, sizeof(int), cudaMemcpyHostToDevice, S));
  int By = 5;
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, S, D, By));
  By = 70;
  REQUIRE_CUDA(
      cudaMemcpyAsync(&Out, D, sizeof(int), cudaMemcpyDeviceToHost, S));
  REQUIRE_CUDA(cudaStreamEndCapture(S, &G));
  CHECK(countNodes(G) == 3);
  CHECK_CUDA(cudaStreamSynchronize(S));
  CHECK(Out == -1);
  REQUIRE_CUDA(cudaGraphInstantiate(&X, G, 0));
  for (In = 10; In != 13; ++In) {
    REQUIRE_CUDA(cudaGraphLaunch(X, S));
    REQUIRE_CUDA(cudaStreamSynchronize(S));
    CHECK(Out == In + 5);
  }
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK_CUDA(cudaGraphDestroy(G));
  CHECK_CUDA(cudaStreamDestroy(S));
  CHECK_CUDA(cudaFree(D));
}

namespace {
/// Work of a library that counts.
struct Counter {
  int Runs = 0, Drops = 0;
};
} // namespace
static EchoCpuWork workOf(Counter &C) {
  return {[](void *P) { ++static_cast<Counter *>(P)->Runs; },
          [](void *P) { ++static_cast<Counter *>(P)->Drops; }, &C};
}

TEST_CASE("work of libraries is captured, but for what returns a result") {
  cudaStream_t S;
  cudaGraph_t G;
  cudaGraphExec_t X;
  Counter C, Refused;
  EchoCpuWork Work = workOf(C), Waits = workOf(Refused);
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  REQUIRE(echo_cpu_queue_work(S, &Work, 0, nullptr) == 0);
  CHECK(C.Drops == 0);
  REQUIRE_CUDA(cudaStreamEndCapture(S, &G));
  REQUIRE_CUDA(cudaGraphInstantiate(&X, G, 0));
  CHECK_CUDA(cudaGraphDestroy(G));
  for (int I = 0; I != 3; ++I)
    REQUIRE_CUDA(cudaGraphLaunch(X, S));
  REQUIRE_CUDA(cudaStreamSynchronize(S));
  CHECK((C.Runs == 3 && C.Drops == 0));
  CHECK_CUDA(cudaGraphExecDestroy(X));
  CHECK(C.Drops == 1);
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  CHECK(echo_cpu_queue_work(S, &Waits, 1, nullptr) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK((Refused.Runs == 0 && Refused.Drops == 1));
  CHECK(cudaStreamEndCapture(S, &G) == cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamDestroy(S));
  cudaGetLastError();
}

TEST_CASE("memory of a graph lives in each launch, at one place") {
  TestKernel Add("add", TestKernel::Loop, add, 2);
  int *P, *Kept, Out[2] = {};
  cudaStream_t S;
  cudaGraph_t G, Other;
  cudaGraphExec_t X, Y;
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&P), 8, S));
  REQUIRE_CUDA(cudaMemsetAsync(P, 0, 8, S));
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, S, P, 5));
  REQUIRE_CUDA(cudaMemcpyAsync(Out, P, 8, cudaMemcpyDeviceToHost, S));
  REQUIRE_CUDA(cudaFreeAsync(P, S));
  // Once, and of this graph alone; the capture goes on.
  CHECK(cudaFreeAsync(P, S) == cudaErrorInvalidValue);
  REQUIRE_CUDA(cudaStreamEndCapture(S, &G));
  CHECK(countNodes(G) == 5);
  REQUIRE_CUDA(cudaGraphInstantiate(&X, G, 0));
  CHECK(cudaGraphInstantiate(&Y, G, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphClone(&Other, G) == cudaErrorNotSupported);
  for (int I = 0; I != 3; ++I) {
    Out[0] = 0;
    REQUIRE_CUDA(cudaGraphLaunch(X, S));
    REQUIRE_CUDA(cudaStreamSynchronize(S));
    CHECK((Out[0] == 5 && Out[1] == 0));
  }
  CHECK_CUDA(cudaGraphDestroy(G));
  REQUIRE_CUDA(cudaGraphLaunch(X, S));
  CHECK_CUDA(cudaGraphExecDestroy(X)); // while it runs
  REQUIRE_CUDA(cudaStreamSynchronize(S));
  // Memory that would outlive the launch is not served.
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&Kept), 8, S));
  REQUIRE_CUDA(cudaStreamEndCapture(S, &G));
  CHECK(cudaGraphInstantiate(&X, G, 0) == cudaErrorNotSupported);
  CHECK_CUDA(cudaGraphDestroy(G));
  CHECK(cudaFree(Kept) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(S));
  cudaGetLastError();
}

TEST_CASE("a capture ends with its stream, and with its thread's stream") {
  cudaStream_t S, Joined;
  cudaEvent_t E;
  cudaGraph_t G;
  void *P;
  REQUIRE_CUDA(cudaEventCreate(&E));
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamCreate(&Joined));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  REQUIRE_CUDA(cudaEventRecord(E, S));
  REQUIRE_CUDA(cudaStreamWaitEvent(Joined, E, 0));
  CHECK_CUDA(cudaStreamDestroy(S));
  // The other stream is free again, and nothing is forbidden.
  cudaStreamCaptureStatus Status;
  CHECK_CUDA(cudaStreamIsCapturing(Joined, &Status));
  CHECK(Status == cudaStreamCaptureStatusNone);
  REQUIRE_CUDA(cudaMalloc(&P, 64));
  CHECK_CUDA(cudaFree(P));
  // The event stands for nothing that is still there.
  CHECK(cudaEventSynchronize(E) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventRecord(E, Joined));
  CHECK_CUDA(cudaEventSynchronize(E));
  std::thread([] {
    CHECK_CUDA(cudaStreamBeginCapture(cudaStreamPerThread,
                                      cudaStreamCaptureModeGlobal));
  }).join();
  REQUIRE_CUDA(cudaMalloc(&P, 64));
  CHECK_CUDA(cudaFree(P));
  // A stream that joined goes: its work cannot be joined any more.
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeRelaxed));
  REQUIRE_CUDA(cudaEventRecord(E, S));
  REQUIRE_CUDA(cudaStreamWaitEvent(Joined, E, 0));
  CHECK_CUDA(cudaStreamDestroy(Joined));
  CHECK(cudaStreamEndCapture(S, &G) == cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamDestroy(S));
  CHECK_CUDA(cudaEventDestroy(E));
  cudaGetLastError();
}

TEST_CASE("a device that is reset captures nothing") {
  ChildResult R = runChild("child: reset in a capture", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("child: reset in a capture", "[.]") {
  cudaStream_t S;
  cudaGraph_t G;
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaDeviceReset());
  CHECK(cudaStreamEndCapture(S, &G) == cudaErrorIllegalState);
}

TEST_CASE("streams of two threads are captured beside each other") {
  TestKernel Add("add", TestKernel::Loop, add, 2);
  std::atomic<int> Failures{0}; // the test's own checks are for one thread
  int Sums[2] = {};
  auto Must = [&](cudaError_t Error) { Failures += Error != cudaSuccess; };
  auto Body = [&](int Me) {
    cudaStream_t S;
    cudaGraph_t G;
    cudaGraphExec_t X;
    Must(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking));
    for (int I = 0; I != 50; ++I) {
      Must(cudaStreamBeginCapture(S, cudaStreamCaptureModeThreadLocal));
      for (int J = 0; J != 20; ++J)
        Must(Add.launch({1}, {1}, 0, S, &Sums[Me], 1));
      Must(cudaStreamEndCapture(S, &G));
      Must(cudaGraphInstantiate(&X, G, 0));
      Must(cudaGraphLaunch(X, S));
      Must(cudaGraphExecDestroy(X));
      Must(cudaGraphDestroy(G));
    }
    // A wait for one stream is refused only while this thread captures.
    Must(cudaStreamSynchronize(S));
    Must(cudaStreamDestroy(S));
  };
  std::thread Other(Body, 1);
  Body(0);
  Other.join();
  CHECK(Failures == 0);
  CHECK((Sums[0] == 1000 && Sums[1] == 1000));
}
