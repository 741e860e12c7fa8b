//===- ManagedVariables.h - __managed__ variables ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of nvcc's definitions makes a `__managed__` variable a device
// variable with an annotation. In device code it becomes managed memory of the
// module. In host code each use of its shadow becomes the address that CUDA
// tells for it, asked for at the first use. Only the shadow itself names the
// variable to CUDA: registrations and calls for symbols keep it. A static
// initializer cannot hold the address.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEVICE_MANAGEDVARIABLES_H
#define ECHO_TRANSFORM_DEVICE_MANAGEDVARIABLES_H

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// Makes the annotated variables of device module \p M managed. True if there
/// were any.
bool markManagedVariables(llvm::Module &M);

/// Replaces the uses of annotated shadows in host module \p M. True if there
/// were any. Errors go to the diagnostic handler.
bool useManagedVariables(llvm::Module &M);

/// Clang gives a static device variable that host code names a longer name once
/// it sees that code (-rdc=true), and leaves the uses before it without a
/// definition. Joins the two in device module \p M. True if there were any.
bool joinStaticVariables(llvm::Module &M);

} // namespace echo

#endif
