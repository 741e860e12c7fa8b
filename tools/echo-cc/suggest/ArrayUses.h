//===- ArrayUses.h - Whether a pointer may stand for an array ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the syntax tree and the text of its block whether the program
// does the same when a local array becomes a pointer to memory of that size:
// which uses change their text then, and where control leaves the block. What
// it does not know must never count as harmless: text in regions that the
// preprocessor leaves out, macros that see the text, objects whose destructors
// run later.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_ARRAYUSES_H
#define ECHO_CC_SUGGEST_ARRAYUSES_H

#include "SourceIndex.h"

namespace echo::suggest {

/// What a use of an array has to become.
struct ArrayUses {
  std::vector<Range> Sizes;               ///< `sizeof(h)`
  std::vector<Range> Addresses;           ///< `&h`, cast to another pointer
  std::vector<const clang::Stmt *> Exits; ///< what leaves the block early
  bool Unwinds = false; ///< an exception may be thrown or caught in sight
};

/// The uses of \p V, which statement \p In declares; nothing: one of them may
/// tell an array from a pointer, or the block has a form that is not known.
std::optional<ArrayUses> usesOf(const clang::VarDecl &V, const Statement &In,
                                const SourceIndex &Source);

/// True if each word of the block of \p In after \p V, which that declares,
/// that is the name of \p V, is one of \p Uses, and is compiled where \p V is.
bool namesOnly(const clang::VarDecl &V, const Statement &In,
               llvm::ArrayRef<const clang::DeclRefExpr *> Uses,
               const SourceIndex &Source);

/// True if a destructor of \p F may use memory that its pointers lead to: it
/// may run after the end of the block of a local array.
bool hasDestructors(const clang::FunctionDecl &F);

/// True if each word of \p Written means the same at all places of the block of
/// \p In after that.
bool meansTheSame(llvm::StringRef Written, const Statement &In,
                  const SourceIndex &Source);

} // namespace echo::suggest

#endif
