//===- NodeWork.h - What a node of a graph does -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a node, copied when it is made or captured, and the
// operation that carries them out, one for each launch. Decides whether
// parameters are right, as the stream's calls do. It must never keep a pointer
// to what the caller may change afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_NODEWORK_H
#define ECHO_RUNTIME_CPU_GRAPHS_NODEWORK_H

#include "runtime/abi/CpuLibrary.h"
#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Launches.h"
#include "runtime/cpu/graphs/GraphTypes.h"

#include <memory>
#include <variant>
#include <vector>

namespace echo::cpu {

struct Graph;
struct GraphMemory;

/// A launch, with its arguments.
struct KernelWork {
  const void *Stub;
  const EchoCpuKernel *Kernel;
  LaunchShape Shape;
  std::vector<uint64_t> Values = {}; ///< all arguments, as the kernel has them
  std::vector<void *> Pointers = {}; ///< to each of them, once asked for
};
/// Work of a CUDA library.
struct LibraryWork {
  std::shared_ptr<EchoCpuWork> Work;
};
struct CopyWork {
  cudaMemcpy3DParms Asked; ///< as the program may read it back
  CopyShape Shape;
  MemKind Dst, Src;
  bool managed() const { return isManaged(Dst) || isManaged(Src); }
};
struct SetWork {
  cudaMemsetParams Asked;
  bool Managed;
};
struct HostWork {
  cudaHostNodeParams Asked;
};
/// Records an event.
struct RecordWork {
  cudaEvent_t Event;
};
/// Waits for an event.
struct WaitWork {
  cudaEvent_t Event;
};
/// Begins the life of memory.
struct AllocWork {
  std::shared_ptr<GraphMemory> Memory;
};
/// Ends it.
struct FreeWork {
  std::shared_ptr<GraphMemory> Memory;
};
struct EmptyWork {};
/// Another graph, which the node owns.
struct ChildWork {
  std::unique_ptr<Graph> Body;
};

using NodeWork = std::variant<EmptyWork, KernelWork, LibraryWork, CopyWork,
                              SetWork, HostWork, RecordWork, WaitWork,
                              ChildWork, AllocWork, FreeWork>;

cudaGraphNodeType typeOf(const NodeWork &W);
/// A copy; of a child, with all of its nodes (Graph::Private).
NodeWork cloneWork(const NodeWork &W, bool Private);

/// The work of a launch that has been checked.
KernelWork kernelWork(const void *Stub, const EchoCpuKernel &Kernel,
                      const LaunchShape &L, void *const *Args);
/// The parameters as the program may read them; the arguments stay \p W's.
cudaKernelNodeParams paramsOf(KernelWork &W);

// Each makes the work of what the program asked for, or refuses.
cudaError_t makeKernelWork(const cudaKernelNodeParams *P, NodeWork &Out);
cudaError_t makeCopyWork(const cudaMemcpy3DParms *P, NodeWork &Out);
cudaError_t makeSetWork(const cudaMemsetParams *P, NodeWork &Out);
cudaError_t makeHostWork(const cudaHostNodeParams *P, NodeWork &Out);
/// Parameters of a copy in one piece.
cudaMemcpy3DParms copyParams(void *Dst, const void *Src, size_t Bytes,
                             cudaMemcpyKind Kind);

/// An operation that does \p W once. Events and children are the launch's.
Op *makeNodeOp(const NodeWork &W);

} // namespace echo::cpu

#endif
