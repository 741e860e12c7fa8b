//===- Faults.h - Bad addresses in kernels -------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a segmentation fault inside of a kernel into CUDA's "illegal address",
// with a line that names the kernel. A fault anywhere else, and a program that
// has a handler of its own, are left alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_FAULTS_H
#define ECHO_RUNTIME_CPU_FAULTS_H

namespace echo::cpu {

/// Installs the handler, unless the program has one.
void startFaults();
/// Gives the calling worker a stack to handle stack overflows on.
void prepareFaultStack();

} // namespace echo::cpu

#endif
