//===- LocalizeGlobals.h - Globals that only main uses ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global variable that nothing but main can reach is a variable of main:
// main runs once, and the variable then starts as its initializer says. This is
// how buffers whose pointers a program keeps at file scope are followed.
// Decided from the whole module; a variable that other files, other threads or
// code that runs after main could see stays where it is.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_LOCALIZEGLOBALS_H
#define ECHO_TRANSFORM_VIEW_LOCALIZEGLOBALS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace echo {

class ModelTable;

/// True if \p GV is a small variable with pointers in it that may become one of
/// main's: a function that uses it has to be seen from main.
bool mayHoldBuffers(const llvm::GlobalVariable &GV);

/// In \p F, main or a copy of it with what it calls inlined, replaces small
/// global variables that only \p F uses by variables of its own. True if it
/// did.
bool localizeGlobals(llvm::Function &F, const ModelTable &Models);

/// Which code stands for a function's own.
using CodeOfFunction =
    llvm::function_ref<const llvm::Function *(const llvm::Function &)>;

/// The functions of \p M that can run: \p Start, if it is there, what is
/// called from where no one sees, and what these call or take the address of.
/// \p CodeOf, if given, says which code of a function counts.
llvm::DenseSet<const llvm::Function *>
functionsThatRun(const llvm::Module &M, const llvm::Function *Start,
                 CodeOfFunction CodeOf = nullptr);

} // namespace echo

#endif
