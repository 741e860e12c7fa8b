//===- Work.h - Work of a library in a stream ----------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the libraries share: a callable becomes work of a stream, and a request
// that they do not serve is named. Nothing here throws.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_COMMON_WORK_H
#define ECHO_RUNTIME_CPU_LIBS_COMMON_WORK_H

#include "runtime/abi/CpuLibrary.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

namespace echo::cpulibs {

/// cudaErrorMemoryAllocation, in all toolkits.
inline constexpr int OutOfMemory = 2;

/// Queues \p Body in \p Stream; with \p Wait, returns when it has run. Returns
/// a cudaError_t. Always inlined, so that the return address is the program's.
template <typename Fn>
[[gnu::always_inline]] inline int queueWork(void *Stream, bool Wait, Fn Body) {
  auto *Data = new (std::nothrow) Fn(std::move(Body));
  if (!Data)
    return OutOfMemory;
  EchoCpuWork Work;
  Work.run = [](void *P) { (*static_cast<Fn *>(P))(); };
  Work.drop = [](void *P) { delete static_cast<Fn *>(P); };
  Work.data = Data;
  return echo_cpu_queue_work(Stream, &Work, Wait, __builtin_return_address(0));
}

/// Says that \p Function does not serve what it was asked for.
inline void sayUnsupported(const char *Function, const char *What) {
  fprintf(stderr, "echo-cpu: error: %s: %s: not supported by the CPU device\n",
          Function, What);
}

struct FreeMemory {
  void operator()(void *P) const { free(P); }
};
/// Memory for intermediate results; empty where there is none.
template <typename T> using Scratch = std::unique_ptr<T[], FreeMemory>;
template <typename T> Scratch<T> makeScratch(size_t Count) {
  return Scratch<T>(static_cast<T *>(calloc(Count ? Count : 1, sizeof(T))));
}

} // namespace echo::cpulibs

#endif
