//===- DevicePasses.h - What happens to device code -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds Echo's passes to a device job. Where they have nothing to say, the
// module stays as it was.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEVICE_DEVICEPASSES_H
#define ECHO_TRANSFORM_DEVICE_DEVICEPASSES_H

#include <string>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace echo {

/// Writes the facts about kernels of a device job to \p FactsFile (created,
/// never appended to). \p Unoptimized: the job runs at -O0, or its code holds
/// checks of a sanitizer. \p Whole: without relocatable device code.
void addDevicePasses(llvm::PassBuilder &PB, const std::string &FactsFile,
                     bool Unoptimized, bool Whole);

/// Gives `__managed__` variables their meaning (ManagedVariables.h), before all
/// other passes of Echo, in device and host jobs.
void addManagedVariables(llvm::PassBuilder &PB);

} // namespace echo

#endif
