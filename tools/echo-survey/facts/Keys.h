//===- Keys.h - Names of declarations for the whole project ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives declarations keys (Facts.h) that are the same in each translation unit,
// places relative to the surveyed folder, and says what belongs to it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_KEYS_H
#define ECHO_TOOLS_ECHOSURVEY_KEYS_H

#include "facts/Facts.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class ASTContext;
}

namespace echo::survey {

class Keys {
  const clang::SourceManager &SM;
  std::string Root; ///< the surveyed folder, with "/" at its end
  mutable llvm::DenseMap<clang::FileID, std::string> Files;

public:
  Keys(const clang::SourceManager &SM, std::string Root)
      : SM(SM), Root(std::move(Root)) {}

  /// The file of \p At, where macros are expanded, relative to the surveyed
  /// folder; "" if it is not in there.
  const std::string &fileOf(clang::SourceLocation At) const;
  bool isInside(clang::SourceLocation At) const { return !fileOf(At).empty(); }
  Place placeOf(clang::SourceLocation At) const;

  std::string ofFunction(const clang::FunctionDecl *F) const;
  std::string ofDeclaration(const clang::ValueDecl *D) const;
  /// What \p F returns, as a buffer.
  std::string ofResult(const clang::FunctionDecl *F) const {
    return ofFunction(F) + "()";
  }
};

/// The function that \p F is an instance of, or \p F.
const clang::FunctionDecl *patternOf(const clang::FunctionDecl *F);

} // namespace echo::survey

#endif
