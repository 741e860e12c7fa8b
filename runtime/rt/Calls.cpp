//===- Calls.cpp - Calls that echort makes for a program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each row of Calls.def: it asks what the rewritten call asks
// and, where the answer is "as written", makes the call as the program would.
// It decides nothing and reads nothing but its operands.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/CudaDecls.h"

#include <stdlib.h>

// Not in every program that is linked with echort. Those that name one have it.
extern "C" {
#define ECHO_OPTIONAL __attribute__((weak))
ECHO_OPTIONAL void *_Znwm(size_t bytes);
ECHO_OPTIONAL void *_Znam(size_t bytes);
ECHO_OPTIONAL void _ZdlPv(void *pointer);
ECHO_OPTIONAL void _ZdaPv(void *pointer);
ECHO_OPTIONAL void _ZdlPvm(void *pointer, size_t bytes);
ECHO_OPTIONAL void _ZdaPvm(void *pointer, size_t bytes);
ECHO_OPTIONAL cudaError_t cudaMalloc(void **pointer, size_t bytes);
ECHO_OPTIONAL cudaError_t cudaMemcpy_ptds(void *dst, const void *src,
                                          size_t bytes, int kind);
ECHO_OPTIONAL cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src,
                                               size_t bytes, int kind,
                                               cudaStream_t stream);
}

template <typename Copy>
static int32_t copyUnlessMerged(EchoGroup *Group, uint32_t Order, void *Stream,
                                void *Dst, const void *Src, size_t Bytes,
                                Copy Run) {
  if (int32_t Done = echort_linking_copy(Group, Order, Stream, Dst, Src, Bytes))
    return Done - 1;
  int32_t Error = Run();
  if (echo_copy_is_told(Order))
    echort_copy_ran(Order, Stream, Error);
  return Error;
}

#define DEFINE_DeviceMemory(Name)                                              \
  ECHO_CALL_DeviceMemory(echo_call_##Name) {                                   \
    void *Block = echort_acquire(group, ECHO_DEVICE, bytes, partner, 0);       \
    if (!Block)                                                                \
      return Name(out, bytes);                                                 \
    *out = Block;                                                              \
    return echo::rt::CudaSuccess;                                              \
  }
#define DEFINE_HostMemory(Name)                                                \
  ECHO_CALL_HostMemory(echo_call_##Name) {                                     \
    void *Block = echort_acquire(group, ECHO_HOST, bytes, partner, 0);         \
    return Block ? Block : Name(bytes);                                        \
  }
#define DEFINE_Copy(Name)                                                      \
  ECHO_CALL_Copy(echo_call_##Name) {                                           \
    return copyUnlessMerged(group, order, nullptr, dst, src, bytes,            \
                            [&] { return Name(dst, src, bytes, kind); });      \
  }
#define DEFINE_StreamCopy(Name)                                                \
  ECHO_CALL_StreamCopy(echo_call_##Name) {                                     \
    return copyUnlessMerged(group, order, stream, dst, src, bytes, [&] {       \
      return Name(dst, src, bytes, kind, stream);                              \
    });                                                                        \
  }
#define DEFINE_DeviceFree(Name)                                                \
  ECHO_CALL_DeviceFree(echo_call_##Name) {                                     \
    int32_t Done = echort_release(ECHO_DEVICE, pointer);                       \
    return Done ? Done - 1 : Name(pointer);                                    \
  }
#define DEFINE_HostFree(Name)                                                  \
  ECHO_CALL_HostFree(echo_call_##Name) {                                       \
    if (!echort_release(ECHO_HOST, pointer))                                   \
      Name(pointer);                                                           \
  }
#define DEFINE_SizedFree(Name)                                                 \
  ECHO_CALL_SizedFree(echo_call_##Name) {                                      \
    if (!echort_release(ECHO_HOST, pointer))                                   \
      Name(pointer, bytes);                                                    \
  }
#define ECHO_CALL(Name, Shape) DEFINE_##Shape(Name)
extern "C" {
#include "runtime/abi/Calls.def"
}
