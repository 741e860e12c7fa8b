//===- LibraryWork.cpp - Work of CUDA libraries ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serves CpuLibrary.h: work of a library is an operation of its stream like a
// kernel, so that every schedule and the rules of streams apply to it. It goes
// through cudaLaunchKernel, where whoever looks at launches finds it, as he
// would the kernels of NVIDIA's libraries.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/LibraryWork.h"
#include "runtime/abi/CpuLibrary.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

#include <cstdio>
#include <new>

using namespace echo::cpu;

extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **,
                                        size_t, cudaStream_t);

/// Where the program called the library whose work runs on this thread.
static thread_local const void *WorkCaller;

namespace {
struct LibraryOp final : Op {
  LibraryOp(const EchoCpuWork &Work, const void *Caller)
      : Op(OpKind::Single), Work(Work), Caller(Caller) {}
  ~LibraryOp() override { Work.drop(Work.data); }
  void run() override {
    WorkCaller = Caller;
    if (!deviceFailed())
      Work.run(Work.data);
    WorkCaller = nullptr;
  }
  const EchoCpuWork Work;
  const void *const Caller;
};

/// What echo_cpu_queue_work hands through a launch of itself.
struct Request {
  const EchoCpuWork &Work;
  void *Caller;
  bool Wait;
  OpRef Queued;
  bool Taken; ///< a graph has it
};
} // namespace

const void *echo::cpu::libraryStub() {
  return reinterpret_cast<const void *>(&echo_cpu_queue_work);
}

cudaError_t echo::cpu::launchLibraryWork(void **Args, Stream &S) {
  auto &R = *static_cast<Request *>(Args[0]);
  if (isCapturing(S)) {
    // What would wait for a result is no node.
    if (R.Wait)
      return refusedIn(S, cudaErrorStreamCaptureUnsupported);
    R.Taken = true;
    return captureLibrary(R.Work, S);
  }
  // --check has places of its own in the program, no return addresses.
  void *Caller =
      underCheck() ? const_cast<void *>(echo_check_here()) : R.Caller;
  Op *O = new (std::nothrow) LibraryOp(R.Work, Caller);
  if (!O)
    return cudaErrorMemoryAllocation;
  ApiCaller = Caller;
  R.Queued = OpRef::share(O);
  submit(S, O);
  return cudaSuccess;
}

static cudaError_t queueWork(cudaStream_t Handle, const EchoCpuWork &Work,
                             bool Wait, void *Caller) {
  Request R{Work, Caller, Wait, {}, false};
  void *Args[] = {&R};
  cudaError_t Error =
      InHostFunction
          ? cudaErrorNotPermitted
          : cudaLaunchKernel(libraryStub(), dim3(1), dim3(1), Args, 0, Handle);
  if (!R.Queued && !R.Taken)
    Work.drop(Work.data);
  if (Error != cudaSuccess || !Wait || R.Taken)
    return Error;
  Scheduler::get().wait(R.Queued.get());
  orderWaitedFor(*R.Queued.get());
  return enter();
}

extern "C" {

int echo_cpu_queue_work(void *Stream, const EchoCpuWork *Work, int Wait,
                        void *Caller) {
  return queueWork(static_cast<cudaStream_t>(Stream), *Work, Wait != 0, Caller);
}

int echo_cpu_notes_accesses() { return underCheck(); }

void echo_cpu_note_access(const void *Base, size_t Bytes, size_t Pitch,
                          size_t Rows, int Writes) {
  if (!underCheck())
    return;
  const auto *At = static_cast<const EchoCheckPlace *>(
      WorkCaller ? WorkCaller : echo_check_here());
  const auto *Row = static_cast<const char *>(Base);
  for (size_t I = 0; I != Rows; ++I, Row += Pitch)
    Writes ? echo_check_write(Row, Bytes, At) : echo_check_read(Row, Bytes, At);
}

void echo_cpu_fail_work(const char *Why) {
  fprintf(stderr, "echo-cpu: error: work of a CUDA library: %s\n", Why);
  failDevice(cudaErrorLaunchFailure);
}

int echo_cpu_start(void) {
  return InHostFunction ? cudaErrorNotPermitted : enter();
}

unsigned echo_cpu_library_threads(void) {
  return underTsan() ? 1 : config().Workers;
}

} // extern "C"
