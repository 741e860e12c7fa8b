//===- ArrayUses.cpp - Whether a pointer may stand for an array -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang marks where an array decays to a pointer: there both are one. Each word
// of the block that is the array's name has to be such a use, so that one which
// the tree does not have, as in a branch of `#if` that is left out, is found.
//
//===----------------------------------------------------------------------===//
#include "ArrayUses.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

namespace {
/// Sorts the uses of an array.
class UseFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit UseFinder(const VarDecl &V) : V(V) {}

  bool VisitDeclRefExpr(const DeclRefExpr *Name) override {
    if (Name->getDecl() == &V)
      All.push_back(Name);
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      Decays.insert(nameIn(Cast->getSubExpr()));
    const auto *Address =
        Cast->getCastKind() == CK_BitCast
            ? dyn_cast<UnaryOperator>(Cast->getSubExpr()->IgnoreParens())
            : nullptr;
    if (!Address || Address->getOpcode() != UO_AddrOf ||
        !Cast->getType()->isPointerType())
      return true;
    if (const DeclRefExpr *Name = nameIn(Address->getSubExpr())) {
      Addresses.push_back(Address);
      Changed.insert(Name);
    }
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(
      const UnaryExprOrTypeTraitExpr *Trait) override {
    if (Trait->getKind() != UETT_SizeOf || Trait->isArgumentType())
      return true;
    if (const DeclRefExpr *Name = nameIn(Trait->getArgumentExpr())) {
      Sizes.push_back(Trait);
      Changed.insert(Name);
    }
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *Element) override {
    Within.insert(nameIn(Element->getBase()->IgnoreParenImpCasts()));
    return true;
  }
  /// A reference to a temporary: one to the pointer is another one, which may
  /// be of another overload.
  bool VisitMaterializeTemporaryExpr(
      const MaterializeTemporaryExpr *Temporary) override {
    Referred |=
        nameIn(Temporary->getSubExpr()->IgnoreParenImpCasts()) != nullptr;
    return !Referred;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    for (const Expr *Argument : Call->arguments())
      Within.insert(nameIn(Argument->IgnoreParenCasts()));
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    for (const LambdaCapture &Capture : Lambda->captures())
      Referred |= Capture.capturesVariable() && Capture.getCapturedVar() == &V;
    return !Referred;
  }

  /// True if each use is one that a pointer has as well. \p Inner: the array's
  /// block is a part of another one, where nothing may keep its address.
  bool areKnown(bool Inner) const {
    return !Referred && llvm::all_of(All, [&](const DeclRefExpr *Name) {
      return Changed.contains(Name) ||
             (Decays.contains(Name) && (!Inner || Within.contains(Name)));
    });
  }

  std::vector<const DeclRefExpr *> All;
  std::vector<const Expr *> Sizes, Addresses;

private:
  const DeclRefExpr *nameIn(const Expr *E) const {
    const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Name && Name->getDecl() == &V ? Name : nullptr;
  }

  const VarDecl &V;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> Decays, Changed, Within;
  bool Referred = false;
};

/// Finds what leaves the statements that it looks at, other than at their end.
class ExitFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool TraverseForStmt(const ForStmt *S) override {
    const llvm::SaveAndRestore Keep(Loops, Loops + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseForStmt(S);
  }
  bool TraverseWhileStmt(const WhileStmt *S) override {
    const llvm::SaveAndRestore Keep(Loops, Loops + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseWhileStmt(S);
  }
  bool TraverseDoStmt(const DoStmt *S) override {
    const llvm::SaveAndRestore Keep(Loops, Loops + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseDoStmt(S);
  }
  bool TraverseCXXForRangeStmt(const CXXForRangeStmt *S) override {
    const llvm::SaveAndRestore Keep(Loops, Loops + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(S);
  }
  bool TraverseSwitchStmt(const SwitchStmt *S) override {
    const llvm::SaveAndRestore Keep(Switches, Switches + 1);
    return ConstDynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
  }
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  bool VisitStmt(const Stmt *S) override {
    if (isa<ReturnStmt>(S) || (isa<BreakStmt>(S) && !Loops && !Switches) ||
        (isa<ContinueStmt>(S) && !Loops))
      Exits.push_back(S);
    Unwinds |= isa<CXXThrowExpr>(S);
    Jumps |= isa<GotoStmt, IndirectGotoStmt, LabelStmt, AddrLabelExpr, StmtExpr,
                 AsmStmt, CoroutineBodyStmt>(S);
    return !Jumps;
  }
  bool VisitDeclStmt(const DeclStmt *S) override {
    return !(Jumps |= llvm::any_of(S->decls(), [](const Decl *D) {
               return isa<CXXRecordDecl, FunctionDecl>(D);
             }));
  }

  std::vector<const Stmt *> Exits;
  bool Unwinds = false, Jumps = false;

private:
  unsigned Loops = 0, Switches = 0;
};

/// Looks for handlers of exceptions.
class TryFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitCXXTryStmt(const CXXTryStmt *) override { return !(Any = true); }
  bool Any = false;
};

/// Looks for declarations of some names.
class NameFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit NameFinder(const llvm::StringSet<> &Names) : Names(Names) {}
  bool VisitNamedDecl(const NamedDecl *D) override {
    return !(Any |= D->getIdentifier() && Names.contains(D->getName()));
  }
  bool Any = false;

private:
  const llvm::StringSet<> &Names;
};

/// Looks for variables whose destructors may use what pointers lead to.
class DestructorFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitVarDecl(const VarDecl *V) override {
    QualType Type = V->getType().getNonReferenceType();
    Type = V->getASTContext().getBaseElementType(Type);
    const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
    return !(Any |= Class && Class->hasDefinition() &&
                    !Class->hasTrivialDestructor() && !isHarmless(*Class));
  }
  bool Any = false;

private:
  /// Strings, and vectors of numbers and pointers.
  static bool isHarmless(const CXXRecordDecl &Class) {
    const auto *Made = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
    return Made && Made->isInStdNamespace() && Made->getIdentifier() &&
           llvm::is_contained({"vector", "basic_string"}, Made->getName()) &&
           Made->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
           Made->getTemplateArgs()[0].getAsType()->isScalarType();
  }
};
} // namespace

/// The statements of the block of \p In from \p In on.
static std::vector<const Stmt *> scopeOf(const Statement &In) {
  const auto Body = In.Block->body();
  return {llvm::find(Body, In.Node), Body.end()};
}

/// The offset of the brace that ends the block of \p In; nothing: a macro has
/// it.
static std::optional<unsigned> endOf(const Statement &In,
                                     const SourceIndex &Source) {
  const auto At = Source.rangeOf(In.Block->getRBracLoc());
  return At ? std::optional(At->Begin) : std::nullopt;
}

namespace {
/// The words of a part of the main file, comments and literals left out.
class Words {
public:
  Words(Range Part, const SourceIndex &Source)
      : Tokens(startOf(Source), Source.context().getLangOpts(),
               Source.text().begin(), Source.text().data() + Part.Begin,
               Source.text().end()),
        End(Part.End), Source(Source) {}

  /// The next word, and where it stands; "": there is none.
  std::pair<StringRef, unsigned> next() {
    for (;;) {
      Token T;
      Tokens.LexFromRawLexer(T);
      const unsigned At =
          Source.context().getSourceManager().getFileOffset(T.getLocation());
      if (T.is(tok::eof) || At >= End)
        return {};
      if (T.is(tok::raw_identifier))
        return {T.getRawIdentifier(), At};
    }
  }

private:
  static SourceLocation startOf(const SourceIndex &Source) {
    const SourceManager &SM = Source.context().getSourceManager();
    return SM.getLocForStartOfFile(SM.getMainFileID());
  }

  Lexer Tokens;
  unsigned End;
  const SourceIndex &Source;
};
} // namespace

/// True if each word \p Name of \p Part is one of \p Uses.
static bool areAllWords(StringRef Name, Range Part,
                        llvm::ArrayRef<const DeclRefExpr *> Uses,
                        const SourceIndex &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  std::set<unsigned> Known;
  for (const DeclRefExpr *Use : Uses)
    if (const SourceLocation At = SM.getSpellingLoc(Use->getLocation());
        SM.isWrittenInMainFile(At))
      Known.insert(SM.getFileOffset(At));
  Words All(Part, Source);
  for (auto [Word, At] = All.next(); !Word.empty();
       std::tie(Word, At) = All.next())
    if (Word == Name && !Known.contains(At))
      return false;
  return true;
}

/// The directives that decide whether the text at \p At is compiled.
static std::vector<unsigned> conditionsAt(unsigned At, StringRef Text) {
  std::vector<unsigned> Open;
  for (size_t Begin = 0; Begin < At;) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size());
    StringRef Line = Text.slice(Begin, End).ltrim();
    if (Line.consume_front("#")) {
      Line = Line.ltrim();
      if (!Open.empty() && (Line.starts_with("el") || Line.starts_with("end")))
        Open.pop_back();
      if (Line.starts_with("if") || Line.starts_with("el"))
        Open.push_back(Begin);
    }
    Begin = End + 1;
  }
  return Open;
}

/// True if a pragma of \p Part may make copies of variables.
static bool hasPragmas(StringRef Part) {
  while (!Part.empty()) {
    StringRef Line;
    std::tie(Line, Part) = Part.split('\n');
    if (Line.contains("pragma") &&
        (Line.contains("task") || Line.contains("target") ||
         Line.contains("acc") || Line.contains("private")))
      return true;
  }
  return false;
}

/// The text of \p E, which may change: no macro shows it to the program, but
/// for one that checks a call of CUDA.
static std::optional<Range> changeable(const Expr *E, const Statement &In,
                                       const SourceIndex &Source) {
  const auto At = Source.rangeOf(E->getSourceRange());
  if (!At || !E->getBeginLoc().isMacroID())
    return At;
  const SourceManager &SM = Source.context().getSourceManager();
  if (!SM.isMacroArgExpansion(E->getBeginLoc()))
    return std::nullopt;
  const bool Checked =
      llvm::any_of(Source.callsIn(In.Function), [&](const CudaCall *Call) {
        return Call->In->holds(*At) && Source.isWhole(*Call);
      });
  return Checked ? At : std::nullopt;
}

/// Adds the text of each of \p Uses to \p To.
static bool addRanges(const std::vector<const Expr *> &Uses,
                      const Statement &In, const SourceIndex &Source,
                      std::vector<Range> &To) {
  for (const Expr *E : Uses) {
    const auto At = changeable(E, In, Source);
    if (!At)
      return false;
    // A macro may use its argument twice.
    if (llvm::none_of(To, [&](const Range &R) { return R.Begin == At->Begin; }))
      To.push_back(*At);
  }
  return true;
}

bool namesOnly(const VarDecl &V, const Statement &In,
               llvm::ArrayRef<const DeclRefExpr *> Uses,
               const SourceIndex &Source) {
  const auto Begin = Source.rangeOf(V.getLocation());
  const auto End = endOf(In, Source);
  return Begin && End &&
         conditionsAt(Begin->Begin, Source.text()) ==
             conditionsAt(*End, Source.text()) &&
         areAllWords(V.getName(), {Begin->End, *End}, Uses, Source);
}

std::optional<ArrayUses> usesOf(const VarDecl &V, const Statement &In,
                                const SourceIndex &Source) {
  const auto Begin = Source.rangeOf(V.getLocation());
  const auto End = endOf(In, Source);
  if (!Begin || !End)
    return std::nullopt;
  UseFinder Uses(V);
  ExitFinder Ways;
  for (const Stmt *S : scopeOf(In)) {
    Uses.TraverseStmt(S);
    Ways.TraverseStmt(S);
  }
  const Range Rest{Begin->End, *End};
  const bool Inner = In.Block != In.Function->getBody();
  ArrayUses Result;
  if (Ways.Jumps || !Uses.areKnown(Inner) || hasPragmas(Source.text(Rest)) ||
      !namesOnly(V, In, Uses.All, Source) ||
      !addRanges(Uses.Sizes, In, Source, Result.Sizes) ||
      !addRanges(Uses.Addresses, In, Source, Result.Addresses))
    return std::nullopt;
  Result.Exits = std::move(Ways.Exits);
  // What a called function throws may end the block, and not the function.
  TryFinder Handlers;
  Handlers.TraverseStmt(In.Function->getBody());
  Result.Unwinds = Ways.Unwinds || Handlers.Any;
  return Result;
}

bool hasDestructors(const FunctionDecl &F) {
  DestructorFinder Found;
  for (const ParmVarDecl *Parameter : F.parameters())
    Found.VisitVarDecl(Parameter);
  Found.TraverseStmt(F.getBody());
  return Found.Any;
}

bool meansTheSame(StringRef Written, const Statement &In,
                  const SourceIndex &Source) {
  const auto End = endOf(In, Source);
  const size_t At = Written.data() - Source.text().data();
  llvm::StringSet<> Names;
  Words Own(
      {static_cast<unsigned>(At), static_cast<unsigned>(At + Written.size())},
      Source);
  for (StringRef Word = Own.next().first; !Word.empty();
       Word = Own.next().first)
    Names.insert(Word);
  if (!End)
    return false;
  NameFinder Found(Names);
  for (const Stmt *S : scopeOf(In))
    Found.TraverseStmt(S);
  // A macro may get another meaning, or none.
  Words Rest({In.End, *End}, Source);
  bool Directive = false;
  for (StringRef Word = Rest.next().first; !Word.empty();
       Word = Rest.next().first) {
    if (Directive && Names.contains(Word))
      return false;
    Directive = Word == "define" || Word == "undef";
  }
  return !Found.Any;
}

} // namespace echo::suggest
