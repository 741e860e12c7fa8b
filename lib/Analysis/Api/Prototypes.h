//===- Prototypes.h - Does a model fit a declaration? -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may have a function of its own under the name of a library's: it is
// defined in sight, or its declaration is none of the library's function.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_PROTOTYPES_H
#define ECHO_ANALYSIS_API_PROTOTYPES_H

#include "Analysis/Api/Models.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace echo {

/// True if the declaration of \p F may be that of the function of \p Model.
bool fits(const llvm::Function &F, const FunctionModel &Model);

/// From now on the functions of \p Models that \p M defines, or declares in
/// another way than their lines say, are unknown.
void forgetOwnFunctions(const llvm::Module &M, ModelTable &Models);

} // namespace echo

#endif
