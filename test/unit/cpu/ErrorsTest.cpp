//===- ErrorsTest.cpp - Failures, settings, printing, fork ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must end in a message or an error code.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

TEST_CASE("names and texts of errors") {
  CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) ==
        "cudaErrorMemoryAllocation");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) ==
        "out of memory");
  CHECK(std::string(cudaGetErrorString(cudaError_t(12345))) ==
        "unrecognized error code");
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

static void failOne(const EchoCpuBlock *B) {
  if (B->blockIdx[0] != 2)
    return;
  echo_cpu_vprintf("about to fail\n", nullptr);
  echo_cpu_self->tid[0] = 5;
  if (param<int>(B, 0))
    echo_cpu_trap();
  echo_cpu_assertfail("x > 0", "app.cu", 12, "void k(int)", 1);
}

TEST_CASE("child: assert", "[.]") {
  TestKernel K("k", TestKernel::Loop, failOne, 1);
  REQUIRE_CUDA(K.launch({4}, {8}, 0, nullptr, 0));
  usleep(10000);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  void *P;
  CHECK(cudaMalloc(&P, 1) == cudaErrorAssert);
  CHECK(cudaGetLastError() == cudaErrorAssert);
  CHECK(cudaPeekAtLastError() == cudaErrorAssert);
}

TEST_CASE("a device assertion fails the device") {
  ChildResult R = runChild("child: assert", {"ECHO_CPU_THREADS=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
  CHECK(R.Output.find("app.cu:12: void k(int): block: [2,0,0], thread: "
                      "[5,0,0] Assertion `x > 0` failed.\n") !=
        std::string::npos);
  CHECK(R.Output.find("about to fail") != std::string::npos);
}

TEST_CASE("child: trap in a fiber", "[.]") {
  TestKernel K(
      "trap", TestKernel::Fibers,
      [](const EchoCpuBlock *) {
        echo_cpu_barrier(0, 0);
        if (echo_cpu_self->linear == 7)
          echo_cpu_trap();
        echo_cpu_barrier(0, 0);
      },
      0);
  REQUIRE_CUDA(K.launch({100}, {64}, 0, nullptr));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}

TEST_CASE("a trap fails the device") {
  ChildResult R = runChild("child: trap in a fiber", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("child: illegal address", "[.]") {
  // Catch's own handler would come first.
  signal(SIGSEGV, SIG_DFL);
  TestKernel K(
      "bad", TestKernel::Loop,
      [](const EchoCpuBlock *B) { *param<volatile int *>(B, 0) = 1; }, 1);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, 16));
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());
  TestKernel Deep(
      "deep", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        volatile char Local[100 << 10];
        for (size_t I = sizeof(Local); I; I -= 64)
          Local[I - 1] = 1;
        echo_cpu_barrier(0, 0);
        *param<char *>(B, 0) = Local[99];
      },
      1);
  char Out = 0;
  REQUIRE_CUDA(Deep.launch({1}, {4}, 0, nullptr, &Out));
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());
  TestKernel Fine(
      "fine", TestKernel::Fibers,
      [](const EchoCpuBlock *) { echo_cpu_barrier(0, 0); }, 0);
  CHECK_CUDA(Fine.launch({4}, {64}, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
}

#ifndef ECHO_TEST_SANITIZED
TEST_CASE("a kernel's bad address is an error that names it") {
  ChildResult R = runChild("child: illegal address", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
  CHECK(R.Output.find("kernel bad: block [0,0,0] uses the illegal address "
                      "0x10\n") != std::string::npos);
  CHECK(R.Output.find("kernel deep: a thread of block [0,0,0] needs more than "
                      "65536 bytes of stack") != std::string::npos);
}
#endif

TEST_CASE("child: printf", "[.]") {
  TestKernel K(
      "print", TestKernel::Loop,
      [](const EchoCpuBlock *) {
        struct {
          int32_t I;
          double D;
          const char *S;
          int64_t L;
          int32_t C;
          uint32_t X;
          int32_t Width, Value;
          const void *P;
        } A = {-3, 1.5, "text", 1ll << 40, 'c', 0xbeef, 5, 7, nullptr};
        echo_cpu_vprintf("[%d|%.2f|%s|%lld|%c|%#06x|%*d|%p|%%]\n", &A);
        int32_t Narrow[] = {0x1234567f, -1, 70000};
        echo_cpu_vprintf("%hhd %hx %hu\n", Narrow);
        echo_cpu_vprintf("no arguments\n", nullptr);
      },
      0);
  printf("before\n");
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr));
  usleep(20000);
  printf("between\n");
  CHECK_CUDA(cudaDeviceSynchronize());
  printf("after\n");
}

TEST_CASE("device printf appears at the wait") {
  ChildResult R = runChild("child: printf", {});
  CHECK(R.Status == 0);
  CHECK(R.Output.find("before\nbetween\n[-3|1.50|text|1099511627776|c|0xbeef|"
                      "    7|(nil)|%]\n127 ffff 4464\nno arguments\nafter\n") !=
        std::string::npos);
}

/// Prints "K" in a kernel, makes sure by queries that it is done, calls \p Then
/// and prints "H".
template <typename Fn> static void printThen(Fn Then) {
  TestKernel K(
      "print", TestKernel::Loop,
      [](const EchoCpuBlock *) { echo_cpu_vprintf("K\n", nullptr); }, 0);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr));
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady)
    usleep(100);
  Then();
  printf("H\n");
  CHECK_CUDA(cudaDeviceSynchronize());
  cudaGetLastError();
}

static char PrintHost[64];
static void *PrintDevice, *PrintPinned;
static cudaEvent_t PrintEvent;
static cudaStream_t PrintStream;
static void allocatePrint() {
  REQUIRE_CUDA(cudaMalloc(&PrintDevice, 64));
  REQUIRE_CUDA(cudaMallocHost(&PrintPinned, 64));
  REQUIRE_CUDA(cudaEventCreate(&PrintEvent));
  REQUIRE_CUDA(cudaStreamCreate(&PrintStream));
}

struct PrintCase {
  const char *Name;
  void (*Call)();
};
static const PrintCase Flushing[] = {
    {"cudaDeviceSynchronize", [] { cudaDeviceSynchronize(); }},
    {"cudaStreamSynchronize", [] { cudaStreamSynchronize(nullptr); }},
    {"cudaEventSynchronize", [] { cudaEventSynchronize(PrintEvent); }},
    {"cudaMemcpy",
     [] { cudaMemcpy(PrintDevice, PrintHost, 64, cudaMemcpyHostToDevice); }},
    {"a launch",
     [] {
       static auto *Empty = new TestKernel(
           "empty", TestKernel::Loop, [](const EchoCpuBlock *) {}, 0);
       Empty->launch({1}, {1}, 0, nullptr);
     }},
    {"a callback",
     [] {
       static std::atomic<bool> Called;
       Called = false;
       cudaStreamAddCallback(
           nullptr, [](cudaStream_t, cudaError_t, void *) { Called = true; },
           nullptr, 0);
       while (cudaStreamQuery(nullptr) == cudaErrorNotReady || !Called)
         usleep(100);
     }},
    {"cudaDeviceReset", [] { cudaDeviceReset(); }},
};
static const PrintCase NotFlushing[] = {
    {"nothing", [] {}},
    {"cudaStreamQuery", [] { cudaStreamQuery(nullptr); }},
    {"cudaEventQuery", [] { cudaEventQuery(PrintEvent); }},
    {"cudaFree", [] { cudaFree(PrintDevice); }},
    {"cudaFreeHost", [] { cudaFreeHost(PrintPinned); }},
    {"cudaMemset", [] { cudaMemset(PrintPinned, 0, 64); }},
    {"cudaMemcpyAsync",
     [] {
       cudaMemcpyAsync(PrintHost, PrintDevice, 64, cudaMemcpyDeviceToHost,
                       nullptr);
     }},
    {"cudaStreamDestroy", [] { cudaStreamDestroy(PrintStream); }},
    {"cudaLaunchHostFunc",
     [] { cudaLaunchHostFunc(nullptr, [](void *) {}, nullptr); }},
};

TEST_CASE("child: calls that flush", "[.]") {
  for (const PrintCase &C : Flushing) {
    allocatePrint();
    printf("%s: ", C.Name);
    printThen(C.Call);
  }
}
TEST_CASE("child: calls that do not flush", "[.]") {
  for (const PrintCase &C : NotFlushing) {
    allocatePrint();
    printf("%s: ", C.Name);
    printThen(C.Call);
  }
}

TEST_CASE("only the calls that CUDA names flush device printf") {
  for (const char *Sched : {"eager", "lazy", "random:1"}) {
    std::string Setting = std::string("ECHO_CPU_SCHED=") + Sched;
    ChildResult R = runChild("child: calls that flush", {Setting});
    INFO(Setting << R.Output);
    CHECK(R.Status == 0);
    for (const PrintCase &C : Flushing)
      CHECK(R.Output.find(std::string(C.Name) + ": K\nH\n") !=
            std::string::npos);
    R = runChild("child: calls that do not flush", {Setting});
    INFO(R.Output);
    CHECK(R.Status == 0);
    for (const PrintCase &C : NotFlushing)
      CHECK(R.Output.find(std::string(C.Name) + ": H\nK\n") !=
            std::string::npos);
  }
}

TEST_CASE("child: device count", "[.]") {
  int Count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&Count));
  CHECK(Count == 1);
}

TEST_CASE("child: attributes", "[.]") {
  int Integrated = -1, Pageable = -1, Threads = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&Integrated, 18, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&Pageable, 88, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&Threads, 16, 0));
  CHECK((Integrated == 0 && Pageable == 0 && Threads == 3));
  int Value;
  CHECK(cudaDeviceGetAttribute(&Value, 4711, 0) == cudaErrorInvalidValue);
  char *D, H[4];
  REQUIRE_CUDA(cudaMalloc((void **)&D, 4));
  // Without access to pageable memory the device cannot be given any.
  CHECK(cudaMemset(H, 0, 4) == cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaGetDeviceProperties(void *, int);

static int attributeOf(int Number) {
  int Value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&Value, Number, 0));
  return Value;
}

/// Checks what a preset says of integrated, concurrentManagedAccess,
/// pageableMemoryAccess and its page tables, and the compute capability.
static void checkDevice(int Integrated, int Concurrent, int Pageable,
                        int HostPageTables, int Major, int Minor) {
  CHECK(attributeOf(18) == Integrated);
  CHECK(attributeOf(89) == Concurrent);
  CHECK(attributeOf(88) == Pageable);
  CHECK(attributeOf(100) == HostPageTables);
  CHECK(attributeOf(75) == Major);
  CHECK(attributeOf(76) == Minor);
}

TEST_CASE("child: orin", "[.]") { checkDevice(1, 0, 0, 0, 8, 7); }
TEST_CASE("child: thor", "[.]") { checkDevice(1, 1, 1, 1, 11, 0); }
TEST_CASE("child: gb10", "[.]") { checkDevice(1, 1, 1, 1, 12, 1); }
TEST_CASE("child: gh200", "[.]") { checkDevice(0, 1, 1, 1, 9, 0); }
TEST_CASE("child: discrete", "[.]") { checkDevice(0, 1, 0, 0, 9, 0); }
TEST_CASE("child: name of a device", "[.]") {
  char Properties[4096];
  REQUIRE_CUDA(cudaGetDeviceProperties(Properties, 0));
  CHECK(std::string(Properties) == "Echo CPU device (orin)");
}
TEST_CASE("child: orin with access", "[.]") { checkDevice(1, 1, 0, 0, 8, 7); }

TEST_CASE("a device is chosen by name, and an attribute of it by another") {
  for (const char *Name : {"orin", "thor", "gb10", "gh200", "discrete"}) {
    ChildResult R = runChild(std::string("child: ") + Name,
                             {std::string("ECHO_CPU_DEVICE=") + Name});
    INFO(R.Output);
    CHECK(R.Status == 0);
  }
  ChildResult Named =
      runChild("child: name of a device", {"ECHO_CPU_DEVICE=orin"});
  INFO(Named.Output);
  CHECK(Named.Status == 0);
  ChildResult R = runChild(
      "child: orin with access",
      {"ECHO_CPU_DEVICE=orin", "ECHO_CPU_ATTR=concurrentManagedAccess=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("settings are applied, and wrong ones are errors") {
  ChildResult R = runChild("child: attributes",
                           {"ECHO_CPU_ATTR=integrated=0,pageableMemoryAccess=0",
                            "ECHO_CPU_THREADS=3"});
  INFO(R.Output);
  CHECK(R.Status == 0);
  struct {
    const char *Setting, *Message;
  } Wrong[] = {
      {"ECHO_CPU_SCHED=random", "expected eager, lazy or random:SEED"},
      {"ECHO_CPU_SCHED=random:x", "expected a number"},
      {"ECHO_CPU_SCHED=Lazy", "expected eager, lazy or random:SEED"},
      {"ECHO_CPU_ATTR=integratd=1", "unknown attribute 'integratd'; known are"},
      {"ECHO_CPU_ATTR=integrated", "expected integrated=NUMBER"},
      {"ECHO_CPU_DEVICE=xavier",
       "ECHO_CPU_DEVICE=xavier: unknown device; known are orin, thor, gb10, "
       "gh200, discrete\n"},
      {"ECHO_CPU_FAIL=alloc:0", "'alloc:0': expected KIND:N or KIND@N"},
      {"ECHO_CPU_FAIL=copy:1,free:2", "'free:2': expected KIND:N"},
      {"ECHO_CPU_FAIL=wait", "'wait': expected KIND:N"},
      {"ECHO_CPU_FAIL=set@0", "one of alloc, copy, set, create, launch, trap"},
      {"ECHO_CPU_THREADS=0", "expected a number from 1 to 1024"},
      {"ECHO_CPU_MEMORY=-5", "expected a number"},
      {"ECHO_CPU_SHED=lazy", "unknown variable ECHO_CPU_SHED; known are "
                             "ECHO_CPU_SCHED, ECHO_CPU_DEVICE, "},
  };
  for (auto &W : Wrong) {
    ChildResult R = runChild("child: device count", {W.Setting});
    INFO(W.Setting << ": " << R.Output);
    CHECK(R.Status == 1);
    CHECK(R.Output.find("echo-cpu: error: ") != std::string::npos);
    CHECK(R.Output.find(W.Message) != std::string::npos);
  }
}

TEST_CASE("child: failing calls", "[.]") {
  TestKernel K(
      "set", TestKernel::Loop,
      [](const EchoCpuBlock *B) { *param<int *>(B, 0) = 3; }, 1);
  void *A = &A, *B = &B;
  CHECK_CUDA(cudaMalloc(&A, 64));
  void *Old = B;
  CHECK(cudaMallocHost(&B, 64) == cudaErrorMemoryAllocation);
  CHECK(B == Old);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaMallocHost(&B, 64));
  void *C;
  CHECK(cudaMalloc(&C, 64) == cudaErrorMemoryAllocation);
  int X = 7;
  CHECK_CUDA(cudaMemcpy(A, &X, 4, cudaMemcpyHostToDevice));
  CHECK(K.launch({1}, {1}, 0, nullptr, A) == cudaErrorLaunchOutOfResources);
  CHECK(cudaMemcpyAsync(&X, A, 4, cudaMemcpyDeviceToHost, nullptr) ==
        cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpy(&X, A, 4, cudaMemcpyDeviceToHost));
  CHECK(X == 7);
  CHECK_CUDA(K.launch({1}, {1}, 0, nullptr, A));
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  CHECK_CUDA(cudaMemcpy(&X, A, 4, cudaMemcpyDeviceToHost));
  CHECK(X == 3);
  // No kernel is left that could have failed.
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(K.launch({1}, {1}, 0, nullptr, A));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorLaunchFailure);
  CHECK(cudaFree(A) == cudaErrorLaunchFailure);
}

TEST_CASE("chosen calls fail") {
  for (const char *Sched : {"eager", "lazy"}) {
    ChildResult R =
        runChild("child: failing calls",
                 {std::string("ECHO_CPU_SCHED=") + Sched,
                  "ECHO_CPU_FAIL=alloc:2,alloc:4,copy:2,launch:1,wait:2"});
    INFO(R.Output);
    CHECK(R.Status == 0);
  }
}

TEST_CASE("child: calls behind marks fail", "[.]") {
  TestKernel K(
      "set", TestKernel::Loop,
      [](const EchoCpuBlock *B) { *param<int *>(B, 0) = 3; }, 1);
  int Version;
  auto mark = [&] { CHECK_CUDA(cudaRuntimeGetVersion(&Version)); };
  void *A = nullptr, *Old = &A, *B = Old;
  CHECK_CUDA(cudaMalloc(&A, 64));
  mark(); // 1: alloc
  CHECK(cudaMalloc(&B, 64) == cudaErrorMemoryAllocation);
  CHECK(B == Old);
  CHECK_CUDA(cudaMalloc(&B, 64));
  mark(); // 2: set
  CHECK(cudaMemset(A, 1, 4) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemset(A, 0, 4));
  mark(); // 3: copy, and there is none
  mark(); // 4: create
  cudaEvent_t E;
  cudaStream_t S;
  CHECK(cudaEventCreate(&E) == cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaEventCreate(&E));
  mark(); // 5: create
  CHECK(cudaStreamCreate(&S) == cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaStreamCreate(&S));
  int X = 7;
  CHECK_CUDA(cudaMemcpy(&X, A, 4, cudaMemcpyDeviceToHost));
  CHECK(X == 0);
  mark(); // 6: trap
  CHECK_CUDA(K.launch({1}, {1}, 0, nullptr, A));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaMemcpy(&X, A, 4, cudaMemcpyDeviceToHost) == cudaErrorLaunchFailure);
  CHECK(X == 0);
}

TEST_CASE("calls behind marks fail") {
  for (const char *Sched : {"eager", "lazy"}) {
    ChildResult R = runChild(
        "child: calls behind marks fail",
        {std::string("ECHO_CPU_SCHED=") + Sched,
         "ECHO_CPU_FAIL=alloc@1,set@2,copy@3,create@4,create@5,trap@6"});
    INFO(R.Output);
    CHECK(R.Status == 0);
    CHECK(R.Output.find("note: trap@6 failed") != std::string::npos);
    CHECK(R.Output.find("copy@3") == std::string::npos);
  }
}

TEST_CASE("a child of fork may not use the device") {
  TestKernel K("none", TestKernel::Loop, [](const EchoCpuBlock *) {}, 0);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  pid_t Child = fork();
  if (Child == 0) {
    void *P;
    bool Right =
        cudaMalloc(&P, 10) == cudaErrorInitializationError &&
        K.launch({1}, {1}, 0, nullptr) == cudaErrorInitializationError &&
        cudaDeviceSynchronize() == cudaErrorInitializationError;
    _exit(Right ? 0 : 1);
  }
  int Status = -1;
  waitpid(Child, &Status, 0);
  CHECK(Status == 0);
}

TEST_CASE("child: exit with work", "[.]") {
  static TestKernel *K = new TestKernel(
      "long", TestKernel::Loop, [](const EchoCpuBlock *) { usleep(1000); }, 0);
  for (int I = 0; I != 10; ++I)
    REQUIRE_CUDA(K->launch({100}, {1}, 0, nullptr));
}

TEST_CASE("child: work in a global destructor", "[.]") {
  static TestKernel *K = new TestKernel(
      "late", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        B->sharedMem[0] = 1;
        echo_cpu_barrier(0, 0);
      },
      0, 1000);
  static void *Memory = nullptr;
  static auto work = [] {
    dim3 Grid, Block;
    size_t Shared;
    cudaStream_t S;
    __cudaPushCallConfiguration({8}, {64}, 0, cudaStreamPerThread);
    __cudaPopCallConfiguration(&Grid, &Block, &Shared, &S);
    return K->launch(Grid, Block, Shared, S) == cudaSuccess &&
           cudaFree(Memory) == cudaSuccess;
  };
  static struct Late {
    ~Late() { puts(work() ? "late work done" : "late work failed"); }
  } Object;
  CHECK(work());
  REQUIRE_CUDA(cudaMalloc(&Memory, 1000));
}

TEST_CASE("destructors of global objects may use the device") {
  for (const char *Sched : {"eager", "lazy"}) {
    ChildResult R = runChild("child: work in a global destructor",
                             {std::string("ECHO_CPU_SCHED=") + Sched});
    INFO(R.Output);
    CHECK(R.Status == 0);
    CHECK(R.Output.find("late work done") != std::string::npos);
  }
}

TEST_CASE("the end of a process does not wait for the device") {
  for (const char *Sched : {"eager", "lazy", "random:1"}) {
    ChildResult R = runChild("child: exit with work",
                             {std::string("ECHO_CPU_SCHED=") + Sched});
    INFO(R.Output);
    CHECK(R.Status == 0);
  }
}
