//===- Collector.h - Facts from Clang's tree -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds by AST matchers what allocates, copies, launches, calls and assigns in
// one translation unit, and writes it down as facts. It changes nothing and
// concludes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_COLLECTOR_H
#define ECHO_TOOLS_ECHOSURVEY_COLLECTOR_H

#include "facts/Extents.h"
#include "facts/Facts.h"
#include "facts/Keys.h"
#include "facts/Operands.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

namespace echo {
struct ApiInfo;
}

namespace echo::survey {

class Collector {
  clang::ASTContext &Context;
  Keys Names;
  Extents Sizes;
  FileFacts &Facts;
  llvm::StringSet<> Described; ///< keys in Facts.Buffers
  const clang::FunctionDecl *Function = nullptr;
  std::string FunctionKey;

  // Collector.cpp
  void readBody(const clang::Stmt *Body);
  void readVariable(const clang::VarDecl *V);
  void assign(const clang::ValueDecl *To, unsigned Loads,
              const clang::Expr *From);

  // Allocations.cpp
  void allocate(const std::string &Key, Idiom Memory, const Extent &Size,
                clang::SourceLocation At);
  bool readAllocator(const clang::CallExpr *Call, const std::string &Name);
  void readAllocatingRow(const clang::CallExpr *Call, const ApiInfo &Row);
  /// The allocation that \p E is, for \p Key. False if it is none.
  bool allocateBy(const clang::Expr *E, const std::string &Key);
  void readContainer(const clang::VarDecl *V);
  void resize(const clang::CallExpr *Call, const std::string &Name);

  // Calls.cpp
  void readCall(const clang::CallExpr *Call);
  void readCopy(const clang::CallExpr *Call, const ApiInfo &Row);
  bool readDriverCopy(const clang::CallExpr *Call, const std::string &Name);
  void readRow(const clang::CallExpr *Call, const ApiInfo &Row);
  void readOwnCall(const clang::CallExpr *Call);
  void count(Idiom What, clang::SourceLocation At);
  void addCopy(Copy C, const clang::CallExpr *Call);
  /// \p N as an operand; describes its declaration.
  Operand operand(const Named &N);
  void describe(const Named &N, const std::string &Key);

public:
  Collector(clang::ASTContext &Context, const std::string &Root,
            FileFacts &Facts);

  /// Reads the unit's declarations of the surveyed folder.
  void run(const std::vector<clang::Decl *> &TopLevel);
  const Keys &names() const { return Names; }
};

} // namespace echo::survey

#endif
