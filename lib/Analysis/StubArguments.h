//===- StubArguments.h - Launch arguments to kernel parameters --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel launch is a call of the host stub that clang emits. Tells which
// argument of that call is which kernel parameter: the host ABI may split or
// pass by reference what device code takes as one parameter. Decided from the
// stub's body; an argument that is not found there has no answer.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_STUBARGUMENTS_H
#define ECHO_ANALYSIS_STUBARGUMENTS_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace echo {

/// True if \p F is the host stub of a kernel.
bool isKernelStub(const llvm::Function &F);

/// For each argument of stub \p F: the kernel parameter that it is as a whole,
/// or nothing (it is part of an aggregate, or unknown).
llvm::SmallVector<std::optional<unsigned>, 8>
stubArgumentMap(const llvm::Function &F);

/// True if stub \p F launches through the per-thread-default-stream variant.
bool launchesPerThread(const llvm::Function &F);

/// The stream of the launch that calls a stub by \p Call: the operand of the
/// __cudaPushCallConfiguration that configured it, or null if that is not the
/// only one that can have.
llvm::Value *launchStream(const llvm::CallBase &Call);

} // namespace echo

#endif
