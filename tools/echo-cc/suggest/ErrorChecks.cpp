//===- ErrorChecks.cpp - How a file tests results of CUDA -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a check does after a success is read from its code, and from that of the
// functions that it calls. All that is not known to be without effect counts as
// one. A program that goes on after a failed allocation has no results to keep:
// it may end there.
//
//===----------------------------------------------------------------------===//
#include "ErrorChecks.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

/// \p E without casts and cleanups.
static const Expr *plain(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParenCasts();
  return E;
}

static bool isCudaError(QualType Type) {
  const EnumDecl *Enum = Type->getAsEnumDecl();
  return Enum && Enum->getName() == "cudaError";
}

/// True if \p E is a result: of a call, of a variable, or assigned to one.
static bool isResult(const Expr *E) {
  E = plain(E);
  if (const auto *Set = dyn_cast<BinaryOperator>(E))
    return Set->getOpcode() == BO_Assign && isCudaError(Set->getType());
  return isa<CallExpr, DeclRefExpr>(E) && isCudaError(E->getType());
}

static bool isSuccess(const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(plain(E));
  return Name && isa<EnumConstantDecl>(Name->getDecl()) &&
         Name->getDecl()->getName() == "cudaSuccess";
}

const Expr *testedResult(const Expr *Cond) {
  Cond = plain(Cond);
  if (const auto *Compared = dyn_cast<BinaryOperator>(Cond);
      Compared && Compared->getOpcode() == BO_NE) {
    if (isSuccess(Compared->getRHS()))
      Cond = plain(Compared->getLHS());
    else if (isSuccess(Compared->getLHS()))
      Cond = plain(Compared->getRHS());
  }
  return isResult(Cond) ? Cond : nullptr;
}

namespace {
/// Looks for effects of a check after a success.
class Effects : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Effects(const CallExpr *Checked, unsigned Depth = 0)
      : Checked(Checked), Depth(Depth) {}

  bool TraverseIfStmt(const IfStmt *If) override {
    if (!testedResult(If->getCond()))
      return ConstDynamicRecursiveASTVisitor::TraverseIfStmt(If);
    return TraverseStmt(If->getInit()) && TraverseStmt(If->getCond()) &&
           TraverseStmt(If->getElse());
  }
  bool TraverseCallExpr(const CallExpr *Call) override {
    if (Call == Checked)
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseCallExpr(Call);
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Defined = nullptr;
    if (!F || isa<CXXOperatorCallExpr, CXXMemberCallExpr>(Call))
      return !(Any = true);
    if (F->getIdentifier() && (F->getName() == "cudaGetErrorString" ||
                               F->getName() == "cudaGetErrorName"))
      return true;
    if (Depth == 2 || !F->hasBody(Defined))
      return !(Any = true);
    Effects Inner(nullptr, Depth + 1);
    Inner.TraverseStmt(Defined->getBody());
    return !(Any |= Inner.Any);
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (V->hasLocalStorage())
      Own.insert(V);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Operator) override {
    return !Operator->isAssignmentOp() || changes(Operator->getLHS());
  }
  bool VisitUnaryOperator(const UnaryOperator *Operator) override {
    return !Operator->isIncrementDecrementOp() ||
           changes(Operator->getSubExpr());
  }
  bool VisitReturnStmt(const ReturnStmt *) override {
    return !(Any |= Depth == 0);
  }
  bool VisitStmt(const Stmt *S) override {
    return !(Any |=
             isa<GotoStmt, IndirectGotoStmt, LabelStmt, ContinueStmt, BreakStmt,
                 CXXThrowExpr, CXXNewExpr, CXXDeleteExpr, LambdaExpr,
                 CXXConstructExpr, AsmStmt, SwitchStmt, StmtExpr>(S));
  }

  bool Any = false;
  llvm::SmallPtrSet<const ValueDecl *, 4> Own; ///< variables that it declares

private:
  /// A write to \p E; false if it is none of the check's own variables.
  bool changes(const Expr *E) {
    const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return !(Any |= !Name || !Own.contains(Name->getDecl()));
  }

  const CallExpr *Checked;
  unsigned Depth;
};
} // namespace

std::optional<ErrorCheck> checkOf(const CudaCall &Call,
                                  const SourceIndex &Source) {
  const auto At = Source.rangeOf(Call.Call->getSourceRange());
  if (!At || !Call.In->holds(*At) || !Source.isWhole(Call))
    return std::nullopt;
  const StringRef Before = Source.text({Call.In->Begin, At->Begin});
  const StringRef After = Source.text({At->End, Call.In->End});
  StringRef Name = Before.rtrim(), End = After.ltrim();
  if (!Name.consume_back("(") || !End.consume_front(")") || Name.empty() ||
      !llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_'; }))
    return std::nullopt;
  End = End.ltrim();
  if (End != ";" && !End.empty())
    return std::nullopt;
  return ErrorCheck{Before.str(), After.rtrim("; \t").str() + ";", {}};
}

/// True if \p Check, that of \p Call, is one statement that does nothing after
/// a success. Notes what it declares.
static bool isQuiet(ErrorCheck &Check, const CudaCall &Call,
                    const SourceIndex &Source) {
  // A macro may hold several statements.
  for (const Statement *S : Source.statementsOf(Call.In->Block))
    if (S != Call.In && S->Begin == Call.In->Begin)
      return false;
  Effects Found(Call.Call);
  Found.TraverseStmt(Call.In->Node);
  for (const ValueDecl *V : Found.Own)
    Check.Declared.push_back(V->getNameAsString());
  return !Found.Any;
}

std::optional<ErrorCheck> commonCheck(const SourceIndex &Source) {
  std::map<std::string, std::pair<unsigned, ErrorCheck>> Uses;
  for (const CudaCall *Call : Source.calls())
    if (auto Check = checkOf(*Call, Source);
        Check && isQuiet(*Check, *Call, Source)) {
      auto &[Number, First] = Uses[Check->Before];
      if (!Number++)
        First = *Check;
    }
  const auto Most = llvm::max_element(Uses, [](const auto &A, const auto &B) {
    return A.second.first < B.second.first;
  });
  if (Most == Uses.end())
    return std::nullopt;
  return Most->second.second;
}

/// The statement of \p Call, if it is the call and a semicolon, written in the
/// main file by the user.
static std::optional<Range> bareCall(const CudaCall &Call,
                                     const SourceIndex &Source) {
  const auto At = Source.rangeOf(Call.Call->getSourceRange());
  const FunctionDecl *F = Call.In->Function;
  const auto *Whole = dyn_cast<Expr>(Call.In->Node);
  if (!At || !F || F->hasAttr<CUDADeviceAttr>() || !Whole ||
      plain(Whole) != Call.Call || Call.Call->getBeginLoc().isMacroID() ||
      Call.Call->getEndLoc().isMacroID() || At->Begin != Call.In->Begin ||
      Source.text({At->End, Call.In->End}).trim() != ";")
    return std::nullopt;
  return At;
}

/// True if the unit declares function \p Name.
static bool declares(const SourceIndex &Source, StringRef Name) {
  ASTContext &Context = Source.context();
  return !Context.getTranslationUnitDecl()
              ->lookup(&Context.Idents.get(Name))
              .empty();
}

/// The statements that say that \p What could not be allocated and end the
/// program, in \p F; "": the unit has none.
static std::vector<std::string> ending(const FunctionDecl *F, StringRef What,
                                       const SourceIndex &Source) {
  const Range All{0, static_cast<unsigned>(Source.text().size())};
  const auto Uses = [&](StringRef Name) { return !Source.isFree(Name, All); };
  const std::string Says =
      "\"cannot allocate " +
      (llvm::any_of(What,
                    [](char C) { return StringRef("\"\\%\n").contains(C); })
           ? "device memory"
           : What.str()) +
      "\\n\"";
  std::vector<std::string> Lines;
  if (declares(Source, "fprintf") &&
      (Uses("fprintf") || Uses("printf") || Uses("cstdio") || Uses("stdio")))
    Lines.push_back("fprintf(stderr, " + Says + ");");
  if (F->isMain())
    Lines.push_back("return 1;");
  else if (declares(Source, "exit"))
    Lines.push_back("exit(1);");
  else
    Lines.clear();
  return Lines;
}

/// The variable whose address \p Call gets, as it is written; "": unknown.
static StringRef allocatedBy(const CudaCall &Call, const SourceIndex &Source) {
  const Expr *Out = Call.argument(ApiRole::OutDev);
  const auto *Address =
      Out ? dyn_cast<UnaryOperator>(Out->IgnoreParenCasts()) : nullptr;
  const auto At = Address
                      ? Source.rangeOf(Address->getSubExpr()->getSourceRange())
                      : std::nullopt;
  return At ? Source.text(*At) : "device memory";
}

std::optional<std::vector<Edit>> testByIf(const CudaCall &Call,
                                          const SourceIndex &Source) {
  const auto At = bareCall(Call, Source);
  if (!At)
    return std::nullopt;
  const Statement &S = *Call.In;
  const std::vector<std::string> Lines =
      ending(S.Function, allocatedBy(Call, Source), Source);
  if (Lines.empty())
    return std::nullopt;
  const std::string Failed = " != cudaSuccess)";
  std::vector<Edit> Edits = {{S.Begin, 0, "if ("}};
  const std::string Outer = "\n" + Source.indent(S.Begin);
  // Comments that end the line stay there; code that follows gets a line of its
  // own.
  const unsigned After = Source.after(S);
  const bool Alone = Source.endsLine(After);
  const std::string Inner = Outer + "  ";
  std::string Body;
  for (const std::string &Line : Lines)
    Body += Inner + Line;
  const bool Braces = Lines.size() > 1;
  if (Braces)
    Body += Outer + "}";
  if (!Alone)
    Body += Outer;
  const std::string Head = Failed + (Braces ? " {" : "");
  if (After == S.End) {
    Edits.push_back({At->End, S.End - At->End, Head + Body});
  } else {
    Edits.push_back({At->End, S.End - At->End, Head});
    Edits.push_back({After, 0, Body});
  }
  return Edits;
}

std::optional<std::vector<Edit>> testBy(const ErrorCheck &Check,
                                        const CudaCall &Call,
                                        const SourceIndex &Source) {
  const auto At = bareCall(Call, Source);
  if (!At || !llvm::all_of(Check.Declared, [&](const std::string &Name) {
        return Source.isFree(Name, *At);
      }))
    return std::nullopt;
  return std::vector<Edit>{{At->Begin, 0, Check.Before},
                           {At->End, Call.In->End - At->End, Check.After}};
}

} // namespace echo::suggest
