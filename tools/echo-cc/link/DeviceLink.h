//===- DeviceLink.h - nvcc's -dlink -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links the device code of objects (from -dc) into one object that registers
// it, for programs whose last link is done by another tool. Links that echo-cc
// does itself need no such object.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_DEVICELINK_H
#define ECHO_TOOLS_ECHOCC_DEVICELINK_H

#include "driver/Paths.h"
#include "driver/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace echo {

/// One device link: the objects, the object that it makes, the command.
struct DeviceLink {
  std::vector<std::string> Inputs;
  std::string Output;
  std::vector<std::string> Command;
};

/// The link of the device code of the objects in clang's words \p Args. With
/// \p CpuDevice it makes an empty object: device code is in the host objects.
llvm::Expected<DeviceLink> planDeviceLink(llvm::ArrayRef<std::string> Args,
                                          bool CpuDevice,
                                          const ToolkitInfo &Toolkit,
                                          const Paths &Where);

/// Whether \p Args are those that clang-linker-wrapper gives to its linker in
/// planDeviceLink.
bool isDeviceLinkStep(llvm::ArrayRef<const char *> Args);

/// That step: keeps only what registers the device code. Returns the exit
/// status.
int deviceLinkStep(llvm::ArrayRef<const char *> Args, const Paths &Where);

} // namespace echo

#endif
