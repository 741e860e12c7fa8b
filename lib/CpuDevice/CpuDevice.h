//===- CpuDevice.h - Kernels as code of the host ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the passes of --device=cpu to a clang job: device code becomes code of
// the host object. What cannot become so ends the compilation with an error.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_CPUDEVICE_H
#define ECHO_CPUDEVICE_CPUDEVICE_H

#include <string>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace echo {

/// Sanitizers of the host job that device code shares.
struct Sanitizers {
  bool Thread = false;
  bool Address = false;
  bool Undefined = false; ///< checks that clang's front end made
  bool any() const { return Thread || Address || Undefined; }
};

/// What the host job needs to take the kernels into the host object.
struct CpuDeviceOptions {
  std::string DeviceBitcode; ///< the device job's output (NVPTX bitcode)
  std::string
      DeviceLibrary; ///< cpu_devlib.bc: CUDA's device functions for the host
  bool RelocatableDeviceCode =
      false;            ///< -rdc=true: device symbols are external
  bool Optimize = true; ///< false at -O0
  Sanitizers Sanitize;
};

/// Links the retargeted device code into the host module (--device=cpu). Errors
/// (inline PTX, unsupported features) go to the module's diagnostic handler.
void addCpuDevicePasses(llvm::PassBuilder &PB, const CpuDeviceOptions &Options);

/// In a device job for the CPU device: no optimization may add accesses that
/// sanitizers of the host job would report.
void addSanitizerMarks(llvm::PassBuilder &PB, Sanitizers Kinds);

} // namespace echo

#endif
