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
#ifndef ECHO_ANALYSIS_API_STUBARGUMENTS_H
#define ECHO_ANALYSIS_API_STUBARGUMENTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace echo {

/// The device name of the kernel whose host stub is called \p StubName
/// ("_Z16__device_stub__kPfi" gives "_Z1kPfi"), or nothing if it is no stub.
std::optional<std::string> kernelNameOfStub(llvm::StringRef StubName);

/// True if \p F is the host stub of a kernel.
bool isKernelStub(const llvm::Function &F);

/// Which part of a kernel's parameters an argument of its stub is.
struct StubArgument {
  unsigned Param = 0;
  uint64_t Offset = 0;  ///< bytes into the parameter
  bool Whole = true;    ///< it is the parameter, not a part of a struct
  bool ByValue = false; ///< it is the address of the parameter's bytes, which
                        ///< the launch copies
  bool Packed = false;  ///< a number, or an array of them, where the struct has
                        ///< a pointer
};

/// For each argument of stub \p F the part that it is, or nothing: unknown.
llvm::SmallVector<std::optional<StubArgument>, 8>
stubArgumentMap(const llvm::Function &F);

/// True if stub \p F launches through the per-thread-default-stream variant.
bool launchesPerThread(const llvm::Function &F);
/// True if stub \p F shows how it launches: it is of a unit in sight.
bool showsLaunch(const llvm::Function &F);

/// The stub of the kernel that \p Call launches: by calling the stub, or by one
/// of CUDA's own functions, which gets the stub's address. Null if that is not
/// known, or \p Call launches nothing.
const llvm::Function *launchedStub(const llvm::CallBase &Call);

/// A pointer that a launch by CUDA's own function gives the kernel.
struct LaunchCell {
  unsigned Param;
  const llvm::Value *Pointer;
};
/// All pointers that \p Call, a launch by CUDA's own function, finds in the
/// array that Transform/View/LaunchArrays made for it; those of another array
/// are in variables whose address is known.
llvm::SmallVector<LaunchCell, 8> launchCells(const llvm::CallBase &Call);
/// True if \p V is such an array.
bool isLaunchArray(const llvm::Value *V);
/// True if nobody gets the address of \p Cell, a variable that was made for a
/// call, but calls, and such arrays that only launches get.
bool isFollowedCell(const llvm::Value &Cell);

/// The stream of the launch that calls a stub by \p Call: the operand of the
/// __cudaPushCallConfiguration that configured it, or null if that is not the
/// only one that can have.
llvm::Value *launchStream(const llvm::CallBase &Call);

} // namespace echo

#endif
