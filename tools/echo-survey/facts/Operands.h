//===- Operands.h - Which buffer an expression names -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a pointer that is given to a copy or an allocator: through casts,
// "x + n", "&x[n]", "x.data()" and "x.get()" to a variable, member, parameter
// or result of a function of the program. What else an expression may be names
// no buffer.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_OPERANDS_H
#define ECHO_TOOLS_ECHOSURVEY_OPERANDS_H

#include "facts/Facts.h"
#include "facts/Keys.h"

#include "clang/AST/Expr.h"

namespace echo::survey {

/// A variable, member or function, and how the expression uses it.
struct Named {
  const clang::ValueDecl *Decl = nullptr;
  unsigned Loads = 0;   ///< pointers that are read from the named one
  bool Offset = false;  ///< not the begin
  bool Address = false; ///< "&x" of something that is no array
};

/// What \p E, a pointer, points into.
Named bufferOf(const clang::Expr *E);
/// The pointer that \p E, the first argument of an allocator, points to.
Named targetOf(const clang::Expr *E);
/// \p N as a key, or "".
std::string keyOf(const Named &N, const Keys &Names);

/// The idiom of an object of type \p T if it is a container that
/// Allocators.def knows.
std::optional<Idiom> containerOf(clang::QualType T);
/// What one element of the container \p T is, or a null type.
clang::QualType elementOf(clang::QualType T);

/// \p E without parentheses, casts and what Clang adds.
const clang::Expr *plain(const clang::Expr *E);
/// The name of the function that is called, without namespaces, or "".
std::string calleeName(const clang::CallExpr *Call);
/// The function that is called, or the first of those that may be.
const clang::FunctionDecl *calleeOf(const clang::CallExpr *Call);

} // namespace echo::survey

#endif
