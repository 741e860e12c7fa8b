//===- ForwardLoads.h - Numbers that are read again -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs keep sizes in global variables and in the fields of objects that
// they are given, and read them again for each allocation and copy. Where
// nothing in between can have written the variable, the later read gives what
// the earlier one gave: then the sizes are one value. LLVM alone cannot know,
// as for it each CUDA call may write every variable.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_FORWARDLOADS_H
#define ECHO_TRANSFORM_VIEW_FORWARDLOADS_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Replaces loads of \p F by what earlier loads and stores of the same place
/// gave or put there. Returns true if anything changed.
bool forwardLoads(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
