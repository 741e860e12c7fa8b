//===- LaunchArrays.h - Launches by CUDA's functions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaLaunchCooperativeKernel gets an array with the addresses of the variables
// that hold the kernel's arguments, so those are no values to the analysis.
// Where the array's contents show, each such launch gets an array and copies of
// the pointers of its own, made right before it: CUDA reads them during the
// call.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_LAUNCHARRAYS_H
#define ECHO_TRANSFORM_VIEW_LAUNCHARRAYS_H

namespace llvm {
class DominatorTree;
class Function;
} // namespace llvm

namespace echo {

/// Copies the arguments of such launches in \p F. Returns true if anything
/// changed.
bool copyLaunchArguments(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace echo

#endif
