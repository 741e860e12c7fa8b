//===- GenericParams.h - Parameters of any node -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tagged union of cudaGraphAddNode, and makes the work of nodes that
// have a handle as their only parameter. It must never take a kind of node that
// is not served for another: that is cudaErrorNotSupported.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_GENERICPARAMS_H
#define ECHO_RUNTIME_CPU_GRAPHS_GENERICPARAMS_H

#include "runtime/cpu/graphs/Graph.h"

namespace echo::cpu {

cudaError_t makeChildWork(cudaGraph_t Child, NodeWork &Out);
cudaError_t makeRecordWork(cudaEvent_t E, NodeWork &Out);
cudaError_t makeWaitWork(cudaEvent_t E, NodeWork &Out);
cudaError_t makeGenericWork(const cudaGraphNodeParams *P, NodeWork &Out);

} // namespace echo::cpu

#endif
