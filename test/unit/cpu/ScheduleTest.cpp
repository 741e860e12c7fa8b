//===- ScheduleTest.cpp - Schedules and exclusive managed memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lazy and random schedules show what eager ones hide; with
// concurrentManagedAccess = 0 the host is kept out of managed memory.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <unistd.h>

// Atomic, so that only their order is open.
static void addOne(const EchoCpuBlock *B) {
  ++*param<std::atomic<int> *>(B, 0);
}
static void doubleIt(const EchoCpuBlock *B) {
  auto *X = param<std::atomic<int> *>(B, 0);
  int Old = X->load();
  while (!X->compare_exchange_weak(Old, Old * 2))
    ;
}

TEST_CASE("child: lazy", "[.]") {
  TestKernel Add("add", TestKernel::Loop, addOne, 1);
  cudaStream_t A, B;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&A, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));
  std::atomic<int> X{0}, Y{0};
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, &X));
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, B, &Y));
  usleep(20000);
  CHECK((X == 0 && Y == 0));
  REQUIRE_CUDA(cudaStreamSynchronize(A));
  CHECK((X == 1 && Y == 0));
  // An event that is asked about makes progress.
  cudaEvent_t E;
  REQUIRE_CUDA(cudaEventCreate(&E));
  REQUIRE_CUDA(cudaEventRecord(E, B));
  while (cudaEventQuery(E) == cudaErrorNotReady)
    usleep(100);
  CHECK(Y == 1);
  // What nobody ordered runs in the other order.
  X = 0;
  TestKernel Double("double", TestKernel::Loop, doubleIt, 1);
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, &X));
  REQUIRE_CUDA(Double.launch({1}, {1}, 0, B, &X));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(X == 1);
}

TEST_CASE("the lazy schedule holds work back until a wait") {
  ChildResult R =
      runChild("child: lazy", {"ECHO_CPU_SCHED=lazy", "ECHO_CPU_THREADS=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("child: ordered work", "[.]") {
  TestKernel Add("add", TestKernel::Loop, addOne, 1);
  TestKernel Double("double", TestKernel::Loop, doubleIt, 1);
  cudaStream_t A, B;
  cudaEvent_t E;
  REQUIRE_CUDA(cudaStreamCreate(&A));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaEventCreate(&E));
  int *X, Out = 0;
  REQUIRE_CUDA(cudaMalloc((void **)&X, sizeof(int)));
  for (int I = 0; I != 20; ++I) {
    REQUIRE_CUDA(cudaMemsetAsync(X, 0, sizeof(int), A));
    REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, X));
    REQUIRE_CUDA(Double.launch({1}, {1}, 0, nullptr, X));
    REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, X));
    REQUIRE_CUDA(cudaEventRecord(E, A));
    REQUIRE_CUDA(cudaStreamWaitEvent(B, E, 0));
    REQUIRE_CUDA(Double.launch({1}, {1}, 0, B, X));
    REQUIRE_CUDA(cudaStreamSynchronize(B));
    REQUIRE_CUDA(cudaMemcpy(&Out, X, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(Out == 6);
  }
  CHECK_CUDA(cudaFree(X));
}

TEST_CASE("child: unordered work", "[.]") {
  // Exit status 0 if the two orders gave different results.
  TestKernel Add("add", TestKernel::Loop, addOne, 1);
  TestKernel Double("double", TestKernel::Loop, doubleIt, 1);
  cudaStream_t A, B;
  REQUIRE_CUDA(cudaStreamCreate(&A));
  REQUIRE_CUDA(cudaStreamCreate(&B));
  bool Seen[3] = {};
  for (int I = 0; I != 100; ++I) {
    int X = 0;
    REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, &X));
    REQUIRE_CUDA(Double.launch({1}, {1}, 0, B, &X));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    Seen[X] = true;
  }
  CHECK((Seen[1] && Seen[2]));
}

TEST_CASE("schedules keep the order that CUDA gives, and only that") {
  for (const char *Sched :
       {"eager", "lazy", "random:1", "random:2", "random:3", "random:99"}) {
    ChildResult R = runChild("child: ordered work",
                             {std::string("ECHO_CPU_SCHED=") + Sched});
    INFO(Sched << ": " << R.Output);
    CHECK(R.Status == 0);
  }
  ChildResult R = runChild("child: unordered work",
                           {"ECHO_CPU_SCHED=random:5", "ECHO_CPU_THREADS=2"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("child: exclusive managed memory", "[.]") {
  TestKernel Add("add", TestKernel::Loop, addOne, 1);
  int *X, *ForHost, *Single, *Other;
  cudaStream_t A, B;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&A, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaMallocManaged((void **)&X, 4, cudaMemAttachGlobal));
  REQUIRE_CUDA(cudaMallocManaged((void **)&ForHost, 4, cudaMemAttachHost));
  REQUIRE_CUDA(cudaMallocManaged((void **)&Single, 4, cudaMemAttachGlobal));
  REQUIRE_CUDA(cudaMallocManaged((void **)&Other, 4, cudaMemAttachGlobal));
  *Other = 3;
  REQUIRE_CUDA(cudaStreamAttachMemAsync(B, Single, 0, cudaMemAttachSingle));
  REQUIRE_CUDA(cudaStreamSynchronize(B));
  *X = 5;
  *Single = 1;
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, X));
  *ForHost = 1;
  *Single += 1;
  REQUIRE_CUDA(cudaStreamSynchronize(A));
  CHECK(*X == 6);
  *X = 7;
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, X));
  CHECK_CUDA(cudaStreamQuery(A));
  CHECK(*X == 8);
  int Out = 0;
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, A, X));
  // The runtime's own copies may touch what the host may not.
  CHECK_CUDA(cudaMemcpy(&Out, Other, 4, cudaMemcpyDeviceToHost));
  CHECK(Out == 3);
  CHECK_CUDA(cudaStreamSynchronize(A));
  CHECK(*X == 9);
}

TEST_CASE("child: managed fault", "[.]") {
  signal(SIGSEGV, SIG_DFL);
  TestKernel Add("add", TestKernel::Loop, addOne, 1);
  int *X, *Other;
  REQUIRE_CUDA(cudaMallocManaged((void **)&X, 4, cudaMemAttachGlobal));
  REQUIRE_CUDA(cudaMallocManaged((void **)&Other, 4, cudaMemAttachGlobal));
  REQUIRE_CUDA(Add.launch({1}, {1}, 0, nullptr, X));
  *Other = 1;
}

TEST_CASE("managed memory belongs to the GPU while work is queued") {
  std::string Setting = "ECHO_CPU_ATTR=concurrentManagedAccess=0";
  ChildResult Good = runChild("child: exclusive managed memory", {Setting});
  INFO(Good.Output);
  CHECK(Good.Status == 0);
  ChildResult Bad = runChild("child: managed fault", {Setting});
  INFO(Bad.Output);
  CHECK(Bad.Status != 0);
  CHECK(Bad.Output.find("host access to managed memory") != std::string::npos);
}
