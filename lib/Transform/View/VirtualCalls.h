//===- VirtualCalls.h - Virtual calls of objects made here ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A virtual call reads which function to call from the object. Where a function
// itself made the object, and its constructors were inlined, the class shows:
// the call becomes one of that function, and can be inlined in turn. Relies on
// C++: constructors and destructors alone change what an object's class is, and
// a virtual function makes no other object in the place of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_VIRTUALCALLS_H
#define ECHO_TRANSFORM_VIEW_VIRTUALCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
} // namespace llvm

namespace echo {

class ModelTable;

/// True if \p GV is a class's table of virtual functions.
bool isVirtualTable(const llvm::GlobalVariable &GV);

/// Calls \p Visit with each function in the tables that \p F puts into objects.
void forVirtualFunctions(const llvm::Function &F,
                         llvm::function_ref<void(llvm::Function &)> Visit);

/// Makes direct calls of the virtual ones in \p F whose object's class shows.
/// Returns true if anything changed.
bool callVirtualFunctionsDirectly(llvm::Function &F, const ModelTable &Models);

} // namespace echo

#endif
