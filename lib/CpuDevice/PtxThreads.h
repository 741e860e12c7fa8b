//===- PtxThreads.h - Inline PTX that joins threads -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, shuffles, votes and reductions written as inline PTX become the
// NVVM intrinsics that lowerIntrinsics knows. Private to
// lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_PTXTHREADS_H
#define ECHO_CPUDEVICE_PTXTHREADS_H

#include "PtxValues.h"

namespace echo::cpudevice {

/// The part of the translator that concerns other threads.
class PtxThreads : public PtxValues {
protected:
  using PtxValues::PtxValues;

  /// bar.sync, bar.warp.sync, nanosleep, activemask, exit.
  bool together(const PtxStatement &S);
  /// shfl.sync, vote.sync and redux.sync, whose last operand is the mask.
  bool warp(const PtxStatement &S);

private:
  bool reduce(const PtxStatement &S, llvm::Value *V, llvm::Value *Mask);
};

} // namespace echo::cpudevice

#endif
