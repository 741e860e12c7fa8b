//===- HostWrites.h - Code that writes no memory of the host ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from Clang's AST whether a statement leaves all memory of the host as
// it is, but for local variables of simple types. Then what is read there is
// the same each time. What is not known to write nothing counts as a write.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_HOSTWRITES_H
#define ECHO_CC_SUGGEST_HOSTWRITES_H

#include "Variables.h"

namespace echo::suggest {

/// True if running \p S may write memory of the host, by the host or by a
/// kernel. \p Device: variables that point to device memory.
bool mayWriteHost(const clang::Stmt *S, const Variables &Device,
                  const clang::ASTContext &Context);

/// The local variables that \p E names, if its value depends only on them, on
/// globals and on members of objects, and reading it changes nothing.
std::optional<Variables> readsOnly(const clang::Expr *E);

} // namespace echo::suggest

#endif
