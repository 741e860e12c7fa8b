//===- Keys.cpp - Names of declarations for the whole project -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are known by name and number of parameters, and those of one unit
// by its file, too: overloads of one number share a key.
//
//===----------------------------------------------------------------------===//
#include "facts/Keys.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace echo::survey {

const FunctionDecl *patternOf(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    return Pattern;
  return F;
}

const std::string &Keys::fileOf(SourceLocation At) const {
  static const std::string None;
  if (At.isInvalid())
    return None;
  const FileID File = SM.getFileID(SM.getExpansionLoc(At));
  auto [It, New] = Files.try_emplace(File);
  if (!New)
    return It->second;
  if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File)) {
    StringRef Name = Entry->getFileEntry().tryGetRealPathName();
    if (Name.consume_front(Root))
      It->second = Name.str();
  }
  return It->second;
}

Place Keys::placeOf(SourceLocation At) const {
  const PresumedLoc Where = SM.getPresumedLoc(SM.getExpansionLoc(At),
                                              /*UseLineDirectives=*/false);
  if (Where.isInvalid())
    return {};
  return {fileOf(At), Where.getLine(), Where.getColumn()};
}

std::string Keys::ofFunction(const FunctionDecl *F) const {
  F = patternOf(F);
  std::string Key = F->getQualifiedNameAsString() + "(" +
                    std::to_string(F->getNumParams()) + ")";
  if (!F->isExternallyVisible() || F->isMain())
    Key += fileOf(F->getCanonicalDecl()->getLocation());
  return Key;
}

std::string Keys::ofDeclaration(const ValueDecl *D) const {
  if (const auto *P = dyn_cast<ParmVarDecl>(D))
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(P->getDeclContext()))
      return ofFunction(F) + "#" + std::to_string(P->getFunctionScopeIndex());
  const Place At = placeOf(D->getCanonicalDecl()->getLocation());
  if (At.File.empty())
    return D->getQualifiedNameAsString();
  return At.File + ":" + std::to_string(At.Line) + ":" +
         std::to_string(At.Column) + ":" + D->getNameAsString();
}

} // namespace echo::survey
