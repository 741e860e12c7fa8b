//===- KnownCallees.h - Calls of one of several known functions -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function pointer may be chosen by a switch, or read from a table that is in
// sight. Where all that it can be shows, the call becomes comparisons of it
// with each of these functions, and a direct call of each; the last one needs
// no comparison. Whatever else it might be, calling it would be undefined.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_KNOWNCALLEES_H
#define ECHO_TRANSFORM_VIEW_KNOWNCALLEES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace echo {

class ModelTable;

/// Makes direct calls of the indirect ones in \p F all of whose callees show,
/// if they are few. Returns the direct calls.
llvm::SmallVector<llvm::CallBase *, 8>
callKnownFunctionsDirectly(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
