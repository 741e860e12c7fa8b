//===- UnknownNames.h - Declares names that headers would ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code whose headers are missing names types and variables that nothing
// declares, and Clang drops the declarations and calls around them. This source
// of declarations guesses from the tokens around a name whether it is a type or
// a variable, and declares it. A variable is invalid from the start, so that
// Clang concludes nothing from it. A name that is declared is never changed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_UNKNOWNNAMES_H
#define ECHO_TOOLS_ECHOSURVEY_UNKNOWNNAMES_H

#include "clang/Sema/ExternalSemaSource.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class IdentifierInfo;
class NamedDecl;
class Sema;
} // namespace clang

namespace echo::survey {

enum class NameGuess { Nothing, Type, Variable };

/// What the name is that ends \p Before and that \p After follows. \p InBody:
/// it is in the body of a function.
NameGuess guessName(llvm::StringRef Before, llvm::StringRef After, bool InBody);

class UnknownNames : public clang::ExternalSemaSource {
  clang::Sema *S = nullptr;
  llvm::DenseMap<const clang::IdentifierInfo *, clang::NamedDecl *> Declared;

  clang::NamedDecl *declare(clang::LookupResult &R, clang::Scope *In);

public:
  void InitializeSema(clang::Sema &Of) override { S = &Of; }
  void ForgetSema() override { S = nullptr; }
  /// Asked where every other lookup of an unqualified name has failed.
  bool LookupUnqualified(clang::LookupResult &R, clang::Scope *In) override;
};

} // namespace echo::survey

#endif
