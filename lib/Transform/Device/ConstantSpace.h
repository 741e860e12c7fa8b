//===- ConstantSpace.h - What does not fit into constant memory -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang puts each host variable that is const and starts with constants into a
// device module's constant memory, used or not; nvcc only those that device
// code uses. Constant memory holds 64 KiB, and ptxas refuses more. Decides
// which variables go to global memory instead: unused ones, where all are too
// many.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEVICE_CONSTANTSPACE_H
#define ECHO_TRANSFORM_DEVICE_CONSTANTSPACE_H

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// Where the constant variables of the NVPTX module \p M are more than constant
/// memory holds, gives those that no code of \p M uses a place in global
/// memory, under their names, so that what asks CUDA for them still finds them
/// (PTX ISA, state space .const: "limited to 64 KB"). Returns true if \p M
/// changed.
bool moveUnusedConstants(llvm::Module &M);

} // namespace echo

#endif
