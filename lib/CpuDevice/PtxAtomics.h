//===- PtxAtomics.h - Inline PTX that changes memory at once ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atom and red on generic and global addresses, which CUDA's headers write for
// half precision, become LLVM's atomic instructions. Forms that order other
// accesses are refused: what waits for such an order spins, and the CPU device
// would have to run other threads meanwhile. Private to
// lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_PTXATOMICS_H
#define ECHO_CPUDEVICE_PTXATOMICS_H

#include "PtxThreads.h"

namespace echo::cpudevice {

/// The part of the translator that concerns atomics.
class PtxAtomics : public PtxThreads {
protected:
  using PtxThreads::PtxThreads;

  /// atom.add.noftz.f16x2 d, [a], b and the like; false where a form is not
  /// known.
  bool atomic(const PtxStatement &S);

private:
  /// A generic or global address, or null.
  llvm::Value *address(const PtxOperand &O);
};

} // namespace echo::cpudevice

#endif
