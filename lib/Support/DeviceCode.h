//===- DeviceCode.h - Code of the device in a host module -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device's kernels lie in the host module. Whoever looks for host code
// there leaves them out.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_DEVICECODE_H
#define ECHO_SUPPORT_DEVICECODE_H

namespace llvm {
class Function;
class GlobalValue;
} // namespace llvm

namespace echo {

/// Marks \p F, code that the CPU device runs as a kernel's or for one.
void markDeviceCode(llvm::Function &F);
/// True if \p F was marked so. It is no host code.
bool isDeviceCode(const llvm::Function &F);
/// True if host code mentions \p V.
bool hasHostUse(const llvm::GlobalValue &V);

} // namespace echo

#endif
