//===- GraphCalls.h - How functions of graphs enter -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of graphs runs under their lock. Decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_GRAPHCALLS_H
#define ECHO_RUNTIME_CPU_GRAPHS_GRAPHCALLS_H

#include "runtime/cpu/Device.h"
#include "runtime/cpu/graphs/Graph.h"

namespace echo::cpu {

/// As api(), under the lock of graphs.
template <typename Fn>
[[gnu::always_inline]] inline cudaError_t graphApi(Fn &&Body) {
  return api([&] {
    GraphLock Lock;
    return Body();
  });
}

} // namespace echo::cpu

#endif
