//===- LibraryWork.cpp - Work of CUDA libraries ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serves CpuLibrary.h: work of a library is an operation of its stream like a
// kernel, so that every schedule and the rules of streams apply to it.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/CpuLibrary.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"

#include <cstdio>
#include <new>

using namespace echo::cpu;

namespace {
struct LibraryOp final : Op {
  explicit LibraryOp(const EchoCpuWork &Work)
      : Op(OpKind::Single), Work(Work) {}
  ~LibraryOp() override { Work.drop(Work.data); }
  void run() override {
    if (!deviceFailed())
      Work.run(Work.data);
  }
  const EchoCpuWork Work;
};
} // namespace

static cudaError_t queueWork(cudaStream_t Handle, const EchoCpuWork &Work,
                             bool Wait, void *Caller) {
  cudaError_t Error = InHostFunction ? cudaErrorNotPermitted : enter();
  Stream *S = Error == cudaSuccess ? findStream(Handle, false) : nullptr;
  Op *O = S ? new (std::nothrow) LibraryOp(Work) : nullptr;
  if (!O) {
    Work.drop(Work.data);
    if (Error != cudaSuccess)
      return Error;
    return S ? cudaErrorMemoryAllocation : cudaErrorInvalidResourceHandle;
  }
  ApiCaller = Caller;
  OpRef Queued = OpRef::share(O);
  submit(*S, O);
  if (!Wait)
    return cudaSuccess;
  Scheduler::get().wait(O);
  orderWaitedFor(*O);
  return enter();
}

extern "C" {

int echo_cpu_queue_work(void *Stream, const EchoCpuWork *Work, int Wait,
                        void *Caller) {
  return queueWork(static_cast<cudaStream_t>(Stream), *Work, Wait != 0, Caller);
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
