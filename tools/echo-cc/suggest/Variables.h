//===- Variables.h - What an expression depends on --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from Clang's AST whether an expression has the same value at another
// place. What it cannot see through counts as a change: a remedy that moves
// text must never move it past one.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_VARIABLES_H
#define ECHO_CC_SUGGEST_VARIABLES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <vector>

namespace echo::suggest {

using Variables = llvm::SmallSetVector<const clang::VarDecl *, 4>;

/// The local variable that \p E is, under casts, or null.
const clang::VarDecl *variableOf(const clang::Expr *E);

/// The variable whose address \p E is, under casts, or null. \p Name: where it
/// is named.
const clang::VarDecl *addressedBy(const clang::Expr *E,
                                  const clang::DeclRefExpr **Name = nullptr);

/// True for functions of standard containers whose result is the same until the
/// container gets other memory, whatever its elements are.
bool asksForMemory(const clang::CXXMemberCallExpr *Call);

/// The local variables that decide about the value of \p E. Nothing: it reads
/// memory or globals, or calls a function that is not known to have no effect.
std::optional<Variables> dependencies(const clang::Expr *E);

/// Where \p F may change one of its local variables, in the order of the text.
std::vector<clang::SourceLocation> changesIn(const clang::FunctionDecl *F);

/// True if running \p S may give \p V another value, or let others do so.
bool mayChange(const clang::Stmt *S, const clang::VarDecl *V);

/// True if \p V gets its value in statement \p By of \p F, and nowhere else.
bool isSetOnlyBy(const clang::FunctionDecl *F, const clang::VarDecl *V,
                 const clang::Stmt *By, const clang::SourceManager &SM);

/// True if nothing that \p F calls or stores can change \p V later: its address
/// goes to functions of system headers only, as those of CUDA and the C
/// library.
bool keepsToItself(const clang::FunctionDecl *F, const clang::VarDecl *V,
                   const clang::SourceManager &SM);

} // namespace echo::suggest

#endif
