//===- FakeOther.cpp - Memory of the fake driver that is not allocated ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reservations, variables, other processes' memory, memory of other interfaces
// and of graphs, and the calls whose parameters are not all words. What a copy
// needs of them is memory; they have no more to them here.
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"

#include <cstring>
#include <sys/mman.h>

#define API extern "C" __attribute__((visibility("default"))) int

namespace {

constexpr int Invalid = 1;
constexpr size_t Room = size_t(8) << 20;
uint64_t Variable; ///< of all modules, of all names
char Given[64];    ///< the last handle that was opened

uint64_t memory(size_t Bytes) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return P == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(P);
}

struct Handle {
  char Bytes[64];
};

} // namespace

/// The handle that was opened last, as it came.
extern "C" __attribute__((visibility("default"))) const char *fakeHandle() {
  return Given;
}

API cuMemAddressReserve(uint64_t *P, size_t N, size_t, uint64_t, uint64_t) {
  *P = memory(N);
  return *P ? 0 : 2;
}
API cuMemAddressFree(uint64_t P, size_t N) {
  return munmap(reinterpret_cast<void *>(P), N) ? Invalid : 0;
}
API cuMemCreate(uint64_t *H, size_t, const void *, uint64_t) {
  return *H = 1, 0;
}
API cuMemMap(uint64_t, size_t, size_t, uint64_t, uint64_t) { return 0; }
API cuMemSetAccess(uint64_t, size_t, const void *, size_t) { return 0; }
API cuMemUnmap(uint64_t, size_t) { return 0; }
API cuMemRelease(uint64_t) { return 0; }
API cuMemGetAllocationGranularity(size_t *Out, const void *, int) {
  return *Out = 4096, 0;
}

API cuModuleGetGlobal_v2(uint64_t *P, size_t *N, void *, const char *Name) {
  if (!Name)
    return Invalid;
  if (!Variable)
    Variable = memory(Room);
  if (P)
    *P = Variable;
  if (N)
    *N = Room;
  return 0;
}

API cuIpcGetMemHandle(Handle *H, uint64_t) { return *H = {}, 0; }
API cuIpcOpenMemHandle_v2(uint64_t *P, Handle H, unsigned Flags) {
  memcpy(Given, H.Bytes, sizeof Given);
  if (Flags != 1) // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
    return Invalid;
  *P = memory(Room) + 4096; // inside of an allocation
  return 0;
}
API cuIpcCloseMemHandle(uint64_t P) {
  return munmap(reinterpret_cast<void *>(P - 4096), Room) ? Invalid : 0;
}
API cuIpcOpenEventHandle(void **E, Handle H) {
  memcpy(Given, H.Bytes, sizeof Given);
  return *E = Given, 0;
}
API cuMemGetAddressRange_v2(uint64_t *Base, size_t *N, uint64_t P) {
  *Base = P - 4096;
  return *N = Room, 0;
}
API cuExternalMemoryGetMappedBuffer(uint64_t *P, void *, const uint64_t *D) {
  return *P = memory(D[1]), 0;
}
/// The words are those of CUDA_MEM_ALLOC_NODE_PARAMS: bytes, address.
API cuGraphAddMemAllocNode(void **, void *, const void *, size_t, uint64_t *N) {
  return N[14] = memory(N[13]), 0;
}
/// Of nodes that allocate: two words come before the parameters.
API cuGraphAddNode_v2(void **, void *, const void *, const void *, size_t,
                      uint64_t *N) {
  if (static_cast<uint32_t>(N[0]) == 10) // CU_GRAPH_NODE_TYPE_MEM_ALLOC
    N[2 + 14] = memory(N[2 + 13]);
  return 0;
}
/// Two planes, the second one behind the first.
API cuGraphicsResourceGetMappedEglFrame(uint64_t *F, void *, unsigned,
                                        unsigned) {
  struct Size {
    uint32_t Width, Height, Depth, Pitch, Planes, Channels, Type;
  } S = {640, 480, 0, 1024, 2, 1, 1};
  F[0] = memory(Room);
  F[1] = F[0] + 640 * 480;
  memcpy(F + 3, &S, sizeof S);
  return 0;
}

API cuCtxRecordEvent(void *, void *) { return 0; }
API cuCtxWaitEvent(void *, void *) { return 0; }
API cuWaitExternalSemaphoresAsync(const void *, const void *, unsigned,
                                  void *) {
  return 0;
}
API cuStreamSetAttribute(void *, int, const void *) { return 0; }

/// Sixteen parameters: the sum of all.
API cuTensorMapEncodeIm2colWide(uint64_t A, uint64_t B, uint64_t C, uint64_t D,
                                uint64_t E, uint64_t F, uint64_t G, uint64_t H,
                                uint64_t I, uint64_t J, uint64_t K, uint64_t L,
                                uint64_t M, uint64_t N, uint64_t O,
                                uint64_t P) {
  const uint64_t X[] = {A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P};
  uint64_t Sum = 0;
  for (uint64_t I1 = 0; I1 != 16; ++I1)
    Sum += (I1 + 1) * X[I1];
  return static_cast<int>(Sum);
}
