//===- KernelBody.h - The hidden arguments of a kernel body -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After bindThreadContext a kernel body takes its own parameters, then
// `const EchoCpuBlock *`, then twelve indices and dimensions in the order
// below. Private to lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_KERNELBODY_H
#define ECHO_CPUDEVICE_KERNELBODY_H

#include "llvm/IR/IRBuilder.h"

namespace echo::cpudevice {

/// tid, ntid, ctaid, nctaid, each x y z.
constexpr unsigned NumGeometry = 12;
/// Hidden arguments: the block, then the geometry.
constexpr unsigned NumHidden = NumGeometry + 1;

/// Loads a field \p Offset bytes into \p Base.
llvm::Value *loadField(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Base,
                       unsigned Offset);
/// Likewise, for a field that never changes while a block runs.
llvm::Value *loadInvariant(llvm::IRBuilderBase &B, llvm::Type *T,
                           llvm::Value *Base, unsigned Offset);
/// The value of echo_cpu_self.
llvm::Value *loadSelf(llvm::Module &M, llvm::IRBuilderBase &B);
/// Geometry register \p Register (3 to 11: not the thread's own index) of
/// \p Block.
llvm::Value *loadGeometry(llvm::IRBuilderBase &B, llvm::Value *Block,
                          unsigned Register);

} // namespace echo::cpudevice

#endif
