//===- Services.cpp - What kernels call -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The services of CpuModule.h: barriers and warp operations go to the fibers,
// the rest is served here. A barrier in a kernel that runs without fibers is a
// failure of that kernel, never ignored.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/Grid.h"
#include "runtime/cpu/Limits.h"
#include "runtime/cpu/Scheduler.h"

#include <cstdio>
#include <cstdlib>
#include <sched.h>

using namespace echo::cpu;

static FiberBlock &fibers() {
  if (FiberBlock *B = currentFiberBlock())
    return *B;
  const char *Kernel = runningKernel();
  fprintf(stderr,
          "echo-cpu: error: kernel %s: a barrier or warp operation is reached "
          "through code that was compiled without them\n",
          Kernel ? Kernel : "(none)");
  abandonKernel(cudaErrorLaunchFailure);
}

extern "C" {

void echo_cpu_barrier(uint32_t Id, uint32_t Count) {
  fibers().barrier(Id, Count, true);
}

void echo_cpu_barrier_arrive(uint32_t Id, uint32_t Count) {
  fibers().barrier(Id, Count, false);
}

int32_t echo_cpu_barrier_reduce(uint32_t Op, int32_t Predicate) {
  return fibers().barrierReduce(Op, Predicate);
}

void echo_cpu_syncwarp(uint32_t Mask) {
  fibers().collective(Mask, {WarpFamily::Sync, 0}, {});
}

uint32_t echo_cpu_shfl(uint32_t Mask, uint32_t Mode, uint32_t Value, uint32_t B,
                       uint32_t C, int32_t *InRange) {
  LaneInput In;
  In.Value = Value;
  In.B = B;
  In.C = C;
  LaneResult R =
      fibers().collective(Mask, {WarpFamily::Shuffle, uint16_t(Mode)}, In);
  if (InRange)
    *InRange = R.Flag;
  return R.Value;
}

uint32_t echo_cpu_vote(uint32_t Mask, uint32_t Op, int32_t Predicate) {
  LaneInput In;
  In.Value = Predicate != 0;
  return fibers().collective(Mask, {WarpFamily::Vote, uint16_t(Op)}, In).Value;
}

uint32_t echo_cpu_match(uint32_t Mask, uint32_t All, uint64_t Value,
                        int32_t *Predicate) {
  LaneInput In;
  In.Value = Value;
  WarpFamily Family = All ? WarpFamily::MatchAll : WarpFamily::MatchAny;
  LaneResult R = fibers().collective(Mask, {Family, 0}, In);
  if (All && Predicate)
    *Predicate = R.Flag;
  return R.Value;
}

uint32_t echo_cpu_redux(uint32_t Mask, uint32_t Op, uint32_t Value) {
  LaneInput In;
  In.Value = Value;
  return fibers().collective(Mask, {WarpFamily::Redux, uint16_t(Op)}, In).Value;
}

uint32_t echo_cpu_activemask(void) {
  return 1u << (echo_cpu_self->linear % WarpLanes);
}

void echo_cpu_yield(void) {
  if (FiberBlock *B = currentFiberBlock())
    B->yield();
  else
    sched_yield();
}

void echo_cpu_assertfail(const char *Message, const char *File, uint32_t Line,
                         const char *Function, size_t) {
  const uint32_t *B = echo_cpu_self->block->blockIdx;
  const uint32_t *T = echo_cpu_self->tid;
  fprintf(stderr,
          "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
          "failed.\n",
          File, Line, Function, B[0], B[1], B[2], T[0], T[1], T[2], Message);
  abandonKernel(cudaErrorAssert);
}

void echo_cpu_trap(void) { abandonKernel(cudaErrorLaunchFailure); }

/// A block of the device heap is preceded by its size.
static constexpr size_t HeapHeader = 16;

void *echo_cpu_device_malloc(size_t Bytes) {
  if (!Bytes || !takeHeap(Bytes))
    return nullptr;
  auto *P = static_cast<char *>(malloc(Bytes + HeapHeader));
  if (!P) {
    returnHeap(Bytes);
    return nullptr;
  }
  *reinterpret_cast<size_t *>(P) = Bytes;
  return P + HeapHeader;
}

void echo_cpu_device_free(void *Pointer) {
  if (!Pointer)
    return;
  char *P = static_cast<char *>(Pointer) - HeapHeader;
  returnHeap(*reinterpret_cast<size_t *>(P));
  free(P);
}

uint64_t echo_cpu_clock(void) { return nowNs(); }

} // extern "C"
