//===- SharedVariables.h - Variables of parallel regions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel region of OpenMP gets the variables that it shares with its
// function by address, and these then stay in memory for LLVM. Where the region
// only reads a variable, it gets a copy that is made right before, so that the
// variable itself can become a value. The region reads the same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_SHAREDVARIABLES_H
#define ECHO_TRANSFORM_VIEW_SHAREDVARIABLES_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Gives the regions of \p F such copies. Run it before SROA. Returns true if
/// anything changed.
bool copySharedVariables(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
