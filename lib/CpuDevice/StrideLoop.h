//===- StrideLoop.h - Grid-stride loops -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = start; i < n; i += step)` around all that a kernel does, with the
// start linear in threadIdx.x and the step the same for all threads. Run
// thread by thread it walks memory with huge steps; run iteration by iteration,
// all threads in each, it is as a plain loop. Private to lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_STRIDELOOP_H
#define ECHO_CPUDEVICE_STRIDELOOP_H

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace echo::cpudevice {

/// One iteration of a grid-stride loop, as a kernel body of its own.
struct StrideLoop {
  /// Takes the advance since the first iteration (`iteration * step`) before
  /// the original body's arguments; runs the loop's body once if its guard
  /// holds.
  llvm::Function *Round;
  llvm::Value *Start; ///< in Round: the index without the advance
  llvm::Value *Step;  ///< in Round
  llvm::Value *Limit; ///< in Round
  bool IsSigned;

  llvm::Type *type() const { return Start->getType(); }
};

/// Builds the iteration of \p Body, or nothing where the whole of the body is
/// not such a loop. \p Body is not changed.
std::optional<StrideLoop> matchStrideLoop(llvm::Function &Body);

} // namespace echo::cpudevice

#endif
