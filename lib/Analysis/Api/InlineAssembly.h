//===- InlineAssembly.h - What inline assembly may do -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says from the text of assembly what LLVM's constraints do not: that it
// defines a symbol, names one, or runs code elsewhere. It knows the words of
// x86-64's and AArch64's assemblers that do so, and never takes a text that it
// cannot read for harmless.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_INLINEASSEMBLY_H
#define ECHO_ANALYSIS_API_INLINEASSEMBLY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// True if \p Asm, LLVM's text of inline assembly, may define a symbol, which
/// must not be there twice: a label that is no number and has no unique part
/// (%=), an assignment, or a directive that is not known to define none.
bool mayDefineSymbol(llvm::StringRef Asm);

/// True if \p Asm may run code elsewhere: it has a call, a return, a system
/// call, a jump but to a label of its own, or bytes in place of instructions.
bool mayRunElsewhere(llvm::StringRef Asm);

/// True if assembly of \p M, inline or at file scope, may run code elsewhere.
bool hasAssemblyThatRunsElsewhere(const llvm::Module &M);

/// Calls \p Use with each word of \p Asm that may be a symbol's name.
void forEachSymbolIn(llvm::StringRef Asm,
                     llvm::function_ref<void(llvm::StringRef)> Use);

} // namespace echo

#endif
