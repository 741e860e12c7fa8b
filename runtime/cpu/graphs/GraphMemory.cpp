//===- GraphMemory.cpp - Memory that a graph allocates --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GraphMemory.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/GraphMemory.h"
#include "runtime/cpu/Device.h"

#include <algorithm>
#include <cstdio>

namespace echo::cpu {

/// AddressSanitizer finds uses before the node that allocates and after the
/// one that frees.
static void close(const GraphMemory &M) {
  if (underAsan())
    __asan_poison_memory_region(M.Base, M.Bytes);
}
static void open(const GraphMemory &M) {
  if (underAsan())
    __asan_unpoison_memory_region(M.Base, M.Bytes);
}

GraphMemory::GraphMemory(void *Base, size_t Bytes) : Base(Base), Bytes(Bytes) {
  close(*this);
}

GraphMemory::~GraphMemory() {
  open(*this);
  Allocation A;
  if (takeAllocation(Base, [](MemKind K) { return K == MemKind::Device; }, A))
    releaseMemory(A);
}

/// Calls \p Visit with each piece of memory that \p G allocates.
template <typename Fn> static void forMemory(const Graph &G, Fn Visit) {
  for (auto &N : G.Nodes)
    if (auto *Alloc = std::get_if<AllocWork>(&N->Work))
      Visit(Alloc->Memory);
}

std::shared_ptr<GraphMemory> unfreedAt(const Graph &G, const void *Base) {
  std::shared_ptr<GraphMemory> Found;
  forMemory(G, [&](const std::shared_ptr<GraphMemory> &M) {
    if (M->Base == Base && !M->Freed)
      Found = M;
  });
  return Found;
}

bool hasMemory(const Graph &G) {
  return std::any_of(G.Nodes.begin(), G.Nodes.end(), [](const auto &N) {
    return std::holds_alternative<AllocWork>(N->Work);
  });
}

cudaError_t checkMemory(const Graph &G) {
  cudaError_t Error = cudaSuccess;
  forMemory(G, [&](const std::shared_ptr<GraphMemory> &M) {
    if (M->Launchable)
      Error = cudaErrorInvalidValue;
    else if (!M->Freed)
      Error = cudaErrorNotSupported;
  });
  if (Error == cudaErrorNotSupported)
    fputs("echo-cpu: error: memory that a graph allocates and does not free: "
          "not supported by the CPU device\n",
          stderr);
  return Error;
}

void setLaunchable(const Graph &G, bool Launchable) {
  forMemory(G, [=](const std::shared_ptr<GraphMemory> &M) {
    M->Launchable = Launchable;
  });
}

Op *makeAllocOp(const AllocWork &W) {
  Op *O = makeOp([Memory = W.Memory] {
    open(*Memory);
    if (underTsan())
      __tsan_write_range(Memory->Base, Memory->Bytes);
    else if (config().Poison)
      poison(static_cast<char *>(Memory->Base), Memory->Bytes);
  });
  O->TouchesMemory = false;
  return O;
}

Op *makeFreeOp(const FreeWork &W) {
  Op *O = makeOp([Memory = W.Memory] {
    if (underTsan())
      __tsan_write_range(Memory->Base, Memory->Bytes);
    close(*Memory);
  });
  O->TouchesMemory = false;
  return O;
}

} // namespace echo::cpu
