//===- CheckPlaces.h - Places of the source in a checked program *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes constants of type EchoCheckPlace (runtime/abi/EchoCheck.h), one for
// each place and actor. Places are those of the reports (Names.h).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_CHECK_CHECKPLACES_H
#define ECHO_TRANSFORM_CHECK_CHECKPLACES_H

#include "Support/RuntimeFunction.h"
#include "Support/Verdict.h"
#include "runtime/abi/EchoCheck.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Constant;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace echo {

/// True if \p Pointer is surely into no heap buffer.
bool isVariable(const llvm::Value *Pointer);

class CheckPlaces {
public:
  explicit CheckPlaces(llvm::Module &M);
  /// The constant of \p Loc, where \p What acts.
  llvm::Constant *get(const SourceLoc &Loc, llvm::StringRef What);
  /// That of \p I.
  llvm::Constant *get(const llvm::Instruction &I, llvm::StringRef What);
  /// A constant text; null pointer for an absent one.
  llvm::Constant *text(const std::optional<std::string> &Text);
  /// Function \p Fn of the library (runtime/abi/EchoCheck.h).
  llvm::FunctionCallee entry(RuntimeFunction Fn);

private:
  llvm::Module &M;
  llvm::StructType *Type;
  llvm::StringMap<llvm::Constant *> Texts, Places;
};

} // namespace echo

#endif
