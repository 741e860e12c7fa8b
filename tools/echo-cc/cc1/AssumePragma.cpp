//===- AssumePragma.cpp - Pairs that the source vouches for ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preprocessor knows where a pragma is, and the syntax tree, before code is
// made of it, which function that is. A job that only preprocesses leaves the
// pragma in its output, for the one that compiles that.
//
//===----------------------------------------------------------------------===//
#include "cc1/AssumePragma.h"
#include "Support/AssumedPairs.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace echo {

namespace {
/// One pragma as it was read.
struct Found {
  SourceLocation At;
  std::string Host, Device;
};

struct OfJob {
  std::vector<Found> Pragmas;
  std::shared_ptr<std::vector<std::string>> Scopes; ///< what the passes get
};
} // namespace

static OfJob &ofJob() {
  static OfJob Job;
  return Job;
}

namespace {
/// `#pragma echo assume_unified(h, d)`
class Handler : public PragmaHandler {
public:
  Handler() : PragmaHandler("assume_unified") {}
  void HandlePragma(Preprocessor &PP, PragmaIntroducer /*How*/,
                    Token &First) override {
    std::string Names[2];
    Token Word;
    const auto Is = [&](tok::TokenKind Kind) {
      PP.LexUnexpandedToken(Word);
      return Word.is(Kind);
    };
    const auto IsName = [&](std::string &Name) {
      if (!Is(tok::identifier))
        return false;
      Name = Word.getIdentifierInfo()->getName().str();
      return true;
    };
    if (Is(tok::l_paren) && IsName(Names[0]) && Is(tok::comma) &&
        IsName(Names[1]) && Is(tok::r_paren) && Is(tok::eod)) {
      SourceLocation At =
          PP.getSourceManager().getExpansionLoc(First.getLocation());
      ofJob().Pragmas.push_back({At, Names[0], Names[1]});
      return;
    }
    DiagnosticsEngine &Diags = PP.getDiagnostics();
    Diags.Report(First.getLocation(),
                 Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                       "ECHO_ASSUME_UNIFIED expects the names "
                                       "of two variables"));
    if (Word.isNot(tok::eod))
      PP.DiscardUntilEndOfDirective();
  }
};

/// Finds the innermost function around a place.
class Around : public DynamicRecursiveASTVisitor {
public:
  Around(const SourceManager &SM, SourceLocation At) : SM(SM), At(At) {}
  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody())
      look(F->getSourceRange());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) override {
    look(L->getSourceRange());
    return true;
  }
  SourceRange range() const { return Range; }

private:
  void look(SourceRange R) {
    const SourceRange Mine(SM.getExpansionLoc(R.getBegin()),
                           SM.getExpansionLoc(R.getEnd()));
    const auto Holds = [&](SourceRange Outer, SourceLocation Inner) {
      return !SM.isBeforeInTranslationUnit(Inner, Outer.getBegin()) &&
             !SM.isBeforeInTranslationUnit(Outer.getEnd(), Inner);
    };
    if (Holds(Mine, At) && (Range.isInvalid() || Holds(Range, Mine.getBegin())))
      Range = Mine;
  }

  const SourceManager &SM;
  const SourceLocation At;
  SourceRange Range;
};

class Consumer : public ASTConsumer {
public:
  void HandleTranslationUnit(ASTContext &Context) override {
    if (!ofJob().Scopes)
      return;
    const SourceManager &SM = Context.getSourceManager();
    for (const Found &Pragma : ofJob().Pragmas) {
      Around Search(SM, Pragma.At);
      Search.TraverseAST(Context);
      if (Search.range().isInvalid()) {
        DiagnosticsEngine &Diags = Context.getDiagnostics();
        Diags.Report(Pragma.At,
                     Diags.getCustomDiagID(
                         DiagnosticsEngine::Warning,
                         "ECHO_ASSUME_UNIFIED is in no function's body"));
        continue;
      }
      AssumedScope Scope;
      const PresumedLoc At = SM.getPresumedLoc(Pragma.At);
      Scope.Place = {At.getFilename(), At.getLine(), At.getColumn()};
      Scope.FirstLine = SM.getPresumedLoc(Search.range().getBegin()).getLine();
      Scope.LastLine = SM.getPresumedLoc(Search.range().getEnd()).getLine();
      Scope.HostName = Pragma.Host;
      Scope.DeviceName = Pragma.Device;
      ofJob().Scopes->push_back(toText(Scope));
    }
  }
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Clang,
                                                 StringRef) override {
    Clang.getPreprocessor().AddPragmaHandler("echo", new Handler);
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};
} // namespace

void readAssumePragmas(HostOptions *Host) {
  static FrontendPluginRegistry::Add<Action> Registered(
      "echo-assume", "pairs that the source vouches for");
  if (!Host)
    return;
  ofJob().Scopes = std::make_shared<std::vector<std::string>>();
  Host->ReadFromSource = ofJob().Scopes;
}

} // namespace echo
