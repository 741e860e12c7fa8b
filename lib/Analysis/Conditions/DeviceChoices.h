//===- DeviceChoices.h - Calls that may select another device ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the calls of a function after which another device may be current than
// before. A guard that selects the device which is current anyway, because
// cudaGetDevice said so and nothing else selects one from there on, is none.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_DEVICECHOICES_H
#define ECHO_ANALYSIS_CONDITIONS_DEVICECHOICES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class DominatorTree;
class Function;
} // namespace llvm

namespace echo {

class RunSearch;

/// The calls in \p F that may select another device, in its order.
/// \p Selecting: for SelectsDevice.
llvm::SmallVector<const llvm::CallBase *, 4>
deviceChoices(const llvm::Function &F, const llvm::DominatorTree &DT,
              RunSearch &Selecting);

} // namespace echo

#endif
