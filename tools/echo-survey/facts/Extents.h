//===- Extents.h - Sizes as the source writes them -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes extents (Extent.h) of expressions. A local variable that is set once is
// replaced by what it is set to, so that "n * sizeof(float)" and "bytes" are
// the same. Two equal extents are equal in the text only: whether a variable
// has changed in between is not asked.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_EXTENTS_H
#define ECHO_TOOLS_ECHOSURVEY_EXTENTS_H

#include "facts/Extent.h"
#include "facts/Keys.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace echo::survey {

class Extents {
  clang::ASTContext &Context;
  const Keys &Names;
  llvm::DenseSet<const clang::ValueDecl *> Changed;

  Extent ofVariable(const clang::ValueDecl *D, unsigned Depth) const;
  Extent ofBinary(const clang::BinaryOperator *Op, unsigned Depth) const;
  Extent of(const clang::Expr *E, unsigned Depth) const;
  std::string printed(const clang::Expr *E) const;

public:
  Extents(clang::ASTContext &Context, const Keys &Names)
      : Context(Context), Names(Names) {}

  /// Notes the variables that \p Body changes after they are declared.
  void enter(const clang::Stmt *Body);

  Extent of(const clang::Expr *E) const { return of(E, 0); }
  /// The bytes of an object of type \p T.
  Extent ofType(clang::QualType T) const;
};

} // namespace echo::survey

#endif
