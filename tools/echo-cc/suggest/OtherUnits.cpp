//===- OtherUnits.cpp - What a unit needs of other units ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report's place leads to the call there. What a system header declares is in
// no unit of the program: -flto does not help.
//
//===----------------------------------------------------------------------===//
#include "OtherUnits.h"
#include "Report/HostReport.h"
#include "Report/ReportText.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

static bool isOfSystem(const FunctionDecl &F, const SourceManager &SM) {
  return SM.isInSystemHeader(SM.getExpansionLoc(F.getLocation()));
}

/// True if a unit of the program may define \p F, and this one does not.
static bool isElsewhere(const FunctionDecl &F, const SourceManager &SM) {
  return !F.hasBody() && !F.getBuiltinID() && !isOfSystem(F, SM) &&
         F.isExternallyVisible() && !F.isDependentContext();
}

namespace {
/// The functions of the program.
class FunctionFinder : public ConstDynamicRecursiveASTVisitor {
public:
  FunctionFinder(UnitState &Unit, ASTContext &Context)
      : Unit(Unit), SM(Context.getSourceManager()), Names(Context) {}

  bool TraverseDecl(const Decl *D) override {
    if (D && SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (F->isThisDeclarationADefinition() && F->isExternallyVisible() &&
        !F->isInlined() && !F->isDependentContext())
      Unit.Defined.push_back(Names.getName(F));
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && isElsewhere(*F, SM))
      Unit.Called.push_back(Names.getName(F));
    return true;
  }

private:
  UnitState &Unit;
  const SourceManager &SM;
  ASTNameGenerator Names;
};

/// The calls at a place, and the function that they stand in.
class CallFinder : public ConstDynamicRecursiveASTVisitor {
public:
  CallFinder(unsigned At, const SourceManager &SM) : At(At), SM(SM) {}

  bool TraverseDecl(const Decl *D) override {
    if (D && SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (isAt(Call->getBeginLoc()) || isAt(Call->getExprLoc()))
      if (const FunctionDecl *F = Call->getDirectCallee())
        Found.push_back(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  bool isAt(SourceLocation Loc) const {
    Loc = SM.getFileLoc(Loc);
    return SM.isWrittenInMainFile(Loc) && SM.getFileOffset(Loc) == At;
  }

  unsigned At;
  const SourceManager &SM;
};

/// Functions that a function calls, itself or through others in sight, and that
/// the unit does not define.
class MissingCallees : public ConstDynamicRecursiveASTVisitor {
public:
  explicit MissingCallees(const SourceManager &SM) : SM(SM) {}

  void look(const FunctionDecl *F) {
    const FunctionDecl *Defined = nullptr;
    if (!F->hasBody(Defined)) {
      if (isElsewhere(*F, SM))
        Found.push_back(F);
    } else if (Seen.insert(Defined).second && !isOfSystem(*Defined, SM)) {
      TraverseStmt(Defined->getBody());
    }
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (const FunctionDecl *F = Call->getDirectCallee())
      look(F);
    return true;
  }
  std::vector<const FunctionDecl *> Found;

private:
  const SourceManager &SM;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
};
} // namespace

void addFunctions(UnitState &Unit, const SourceIndex &Source) {
  FunctionFinder(Unit, Source.context())
      .TraverseDecl(Source.context().getTranslationUnitDecl());
}

static Symbol symbolOf(const FunctionDecl &F, ASTContext &Context) {
  return {ASTNameGenerator(Context).getName(&F), F.getNameAsString()};
}

OutOfSight outOfSight(const PairReport &Pair, const SourceIndex &Source) {
  const bool Kernel = Pair.Reason == Blocker::UnknownKernel;
  const auto Advice = suggestionOf(Pair);
  const auto At =
      Pair.Because.empty() ? std::nullopt : Source.offset(Pair.Because[0].Loc);
  if (Pair.Result != Verdict::Declined || !Advice || !At ||
      (!Kernel && Pair.Reason != Blocker::UnknownCall))
    return {};
  const SourceManager &SM = Source.context().getSourceManager();
  CallFinder Calls(*At, SM);
  Calls.TraverseDecl(Source.context().getTranslationUnitDecl());
  OutOfSight Result;
  MissingCallees Missing(SM);
  for (const FunctionDecl *F : Calls.Found)
    if (Kernel == F->hasAttr<CUDAGlobalAttr>()) {
      Missing.look(F);
      if (!Kernel && !F->hasBody() && isOfSystem(*F, SM))
        Result.Otherwise = withoutLinking(*Advice);
    }
  for (const FunctionDecl *F : Missing.Found)
    Result.Needed.push_back(symbolOf(*F, Source.context()));
  return Result;
}

OutOfSight outOfSight(const KeptCopy &Copy, const SourceIndex &Source) {
  const Statement *S = Source.statementAt(Copy.Loc.own());
  if (!StringRef(Copy.Why).contains("-flto") || !S || !S->Function)
    return {};
  OutOfSight Result;
  if (S->Function->isExternallyVisible() && !S->Function->isDependentContext())
    Result.Own.push_back(symbolOf(*S->Function, Source.context()));
  return Result;
}

/// "'f' and 'g'" of \p Symbols that are \p In, or "".
static std::string namesOf(llvm::ArrayRef<Symbol> Symbols,
                           llvm::ArrayRef<std::string> In) {
  std::string Text;
  for (const Symbol &S : Symbols)
    if (llvm::is_contained(In, S.Linked) &&
        !StringRef(Text).contains("'" + S.Name + "'"))
      Text += (Text.empty() ? "'" : " and '") + S.Name + "'";
  return Text;
}

/// What to say of \p Missing, which is so in unit \p Number; "": nothing new.
static std::string adviceFor(const OutOfSight &Missing,
                             llvm::ArrayRef<UnitState> Units, unsigned Number) {
  for (const auto &[Other, Unit] : llvm::enumerate(Units)) {
    if (Other == Number)
      continue;
    if (const std::string Names = namesOf(Missing.Needed, Unit.Defined);
        !Names.empty())
      return "compile with -flto: " + Unit.File + " defines " + Names;
    if (const std::string Name = namesOf(Missing.Own, Unit.Called);
        !Name.empty())
      return "compile with -flto: " + Unit.File + " calls " + Name;
  }
  return Missing.Otherwise;
}

std::map<unsigned, std::string> linkAdvice(llvm::ArrayRef<UnitState> Units,
                                           unsigned Number) {
  std::map<unsigned, std::string> All;
  for (const auto &[I, Missing] : llvm::enumerate(Units[Number].Missing))
    if (std::string Text = adviceFor(Missing, Units, Number); !Text.empty())
      All[I] = std::move(Text);
  return All;
}

} // namespace echo::suggest
