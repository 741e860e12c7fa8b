//===- AllocateOnHeap.cpp - A local array becomes memory of the heap ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy with an array of the stack is part of no pair. The array becomes a
// pointer to memory of the same size, which is freed where the array ended: by
// a vector where the file uses vectors, else by free() at each end of the
// block. Memory that the heap does not have is the only difference; the stack
// had none either, then.
//
//===----------------------------------------------------------------------===//
#include "ArrayUses.h"
#include "Remedy.h"
#include "Variables.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/IdentifierTable.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

namespace {
/// The local arrays that a statement names.
class ArrayFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(const DeclRefExpr *Name) override {
    const auto *V = dyn_cast<VarDecl>(Name->getDecl());
    if (V && V->hasLocalStorage() && V->getType()->isConstantArrayType())
      Found.insert(V);
    return true;
  }
  Variables Found;
};

/// What the program itself declares that another name of the C library or a
/// vector would be.
class FileFacts : public ConstDynamicRecursiveASTVisitor {
public:
  explicit FileFacts(const SourceIndex &Source)
      : SM(Source.context().getSourceManager()) {}

  bool TraverseDecl(const Decl *D) override {
    if (D && SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitNamedDecl(const NamedDecl *D) override {
    OwnHeap |=
        D->getIdentifier() &&
        llvm::is_contained({"malloc", "calloc", "free", "std"}, D->getName());
    return true;
  }
  bool VisitVarDecl(const VarDecl *V) override {
    const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        V->getType()->getAsCXXRecordDecl());
    Vectors |= Class && Class->isInStdNamespace() && Class->getIdentifier() &&
               Class->getName() == "vector" &&
               SM.isWrittenInMainFile(SM.getExpansionLoc(V->getLocation()));
    return true;
  }
  bool OwnHeap = false, Vectors = false;

private:
  const SourceManager &SM;
};

/// The parts of `float h[N][M]`, as they are written.
struct ArrayText {
  StringRef Element, First, Rest; ///< "float", "[N]", "[M]"
  Range Declarator;               ///< "h[N][M]", with its value
  bool Cleared = false;           ///< its value is zero in all elements
};
} // namespace

/// True if \p Init is zero in all its bytes.
static bool isZero(const Expr *Init, const ASTContext &Context) {
  if (!Init || isa<ImplicitValueInitExpr>(Init))
    return true;
  if (const auto *List = dyn_cast<InitListExpr>(Init))
    return isZero(List->getArrayFiller(), Context) &&
           llvm::all_of(List->inits(),
                        [&](const Expr *E) { return isZero(E, Context); });
  Expr::EvalResult Value;
  if (Init->isValueDependent() || !Init->EvaluateAsRValue(Value, Context) ||
      Value.HasSideEffects)
    return false;
  return Value.Val.isInt()     ? Value.Val.getInt().isZero()
         : Value.Val.isFloat() ? Value.Val.getFloat().isPosZero()
                               : false;
}

/// True if elements of \p Type are nothing but memory, which malloc() aligns.
static bool isPlainElement(QualType Type, const ASTContext &Context) {
  return !Type.hasQualifiers() && !Type->isDependentType() &&
         (Type->isArithmeticType() || Type->isRecordType()) &&
         Type.isTrivialType(Context) &&
         Context.getTypeAlignInChars(Type).getQuantity() <= 16;
}

/// Takes the declaration of \p V apart; nothing: it has another form.
static std::optional<ArrayText> textOf(const VarDecl &V,
                                       const SourceIndex &Source) {
  const ASTContext &Context = Source.context();
  const QualType Element = Context.getBaseElementType(V.getType());
  const TypeSourceInfo *Written = V.getTypeSourceInfo();
  const auto Whole =
      Source.rangeOf(SourceRange(V.getLocation(), V.getEndLoc()));
  if (!Written || !Whole || V.hasAttrs() || !isPlainElement(Element, Context))
    return std::nullopt;
  ArrayText Text;
  Text.Declarator = *Whole;
  TypeLoc Type = Written->getTypeLoc();
  std::vector<Range> Brackets;
  while (const auto Array = Type.getAs<ConstantArrayTypeLoc>()) {
    const auto At = Source.rangeOf(Array.getBracketsRange());
    if (!At || !Array.getSizeExpr())
      return std::nullopt;
    Brackets.push_back(*At);
    Type = Array.getElementLoc();
  }
  const auto Base = Source.rangeOf(Type.getUnqualifiedLoc().getSourceRange());
  if (Brackets.empty() || !Base || Type.getType()->isArrayType() ||
      Source.text(*Base).contains('{'))
    return std::nullopt;
  Text.Element = Source.text(*Base);
  Text.First = Source.text(Brackets.front());
  Text.Rest = Source.text({Brackets.front().End, Brackets.back().End});
  if (isa_and_nonnull<InitListExpr>(V.getInit())) {
    Text.Cleared = true;
    return isZero(V.getInit(), Context) && Element->isArithmeticType()
               ? std::optional(Text)
               : std::nullopt;
  }
  return Brackets.back().End == Whole->End ? std::optional(Text) : std::nullopt;
}

/// "*h" or "(*h)[M]".
static std::string pointer(const ArrayText &T, StringRef Name) {
  return T.Rest.empty() ? ("*" + Name).str()
                        : ("(*" + Name + ")" + T.Rest).str();
}

/// The declarator that gets memory from malloc() or calloc().
static std::string declarator(const ArrayText &T, const VarDecl &V) {
  const std::string Size =
      ("sizeof(" + T.Element + T.First + T.Rest + ")").str();
  return pointer(T, V.getName()) + " = (" + T.Element.str() + " " +
         pointer(T, "") + ")" + (T.Cleared ? "calloc(1, " : "malloc(") + Size +
         ")";
}

/// Adds a free of \p Name before \p Exit. False: it has another form.
static bool freeBefore(const Stmt *Exit, const VarDecl &V, const Statement &In,
                       const SourceIndex &Source, std::vector<Edit> &Edits) {
  const std::string Free = "free(" + V.getNameAsString() + ");";
  if (const auto *Return = dyn_cast<ReturnStmt>(Exit)) {
    const Expr *Value = Return->getRetValue();
    const auto Needed = Value ? dependencies(Value) : Variables();
    if (!Needed || Needed->contains(&V) ||
        In.Function->getReturnType()->isReferenceType() ||
        (Value && !Value->getType()->isScalarType()))
      return false;
  }
  const auto At = Source.rangeOf(Exit->getSourceRange());
  if (!At || Exit->getBeginLoc().isMacroID())
    return false;
  for (const Statement *S : Source.statements())
    if (S->Node == Exit) {
      Edits.push_back({S->Begin, 0, Free + "\n" + Source.indent(S->Begin)});
      return true;
    }
  const size_t End = Source.text().find_first_not_of(" \t", At->End);
  if (End == StringRef::npos || Source.text()[End] != ';')
    return false;
  Edits.push_back({At->Begin, 0, "{ " + Free + " "});
  Edits.push_back({static_cast<unsigned>(End) + 1, 0, " }"});
  return true;
}

/// Adds a free at the end of the block of \p In, if control gets there.
static bool freeAtEnd(const VarDecl &V, const Statement &In,
                      const SourceIndex &Source, std::vector<Edit> &Edits) {
  if (isa<ReturnStmt, BreakStmt, ContinueStmt>(In.Block->body_back()))
    return true;
  const auto Brace = Source.rangeOf(In.Block->getRBracLoc());
  if (!Brace)
    return false;
  const std::string Free = "free(" + V.getNameAsString() + ");";
  const StringRef Before = Source.text().take_front(Brace->Begin);
  const unsigned Line = Before.rfind('\n') + 1;
  if (Before.substr(Line).ltrim(" \t").empty())
    Edits.push_back({Line, 0, Source.indent(In.Begin) + Free + "\n"});
  else
    Edits.push_back({Brace->Begin, 0, Free + " "});
  return true;
}

/// The array as memory of malloc(); nothing: it cannot be freed where control
/// leaves its block.
static std::optional<Proposal> byMalloc(const VarDecl &V, const ArrayText &T,
                                        const ArrayUses &Uses,
                                        const Statement &In,
                                        const SourceIndex &Source) {
  Proposal P;
  if (Uses.Unwinds)
    return std::nullopt;
  P.Edits.push_back({T.Declarator.Begin, T.Declarator.End - T.Declarator.Begin,
                     declarator(T, V)});
  for (const Stmt *Exit : Uses.Exits)
    if (!freeBefore(Exit, V, In, Source, P.Edits))
      return std::nullopt;
  if (!freeAtEnd(V, In, Source, P.Edits))
    return std::nullopt;
  P.What = "allocate '" + V.getNameAsString() + "' by " +
           (T.Cleared ? "calloc" : "malloc");
  P.Host = V.getNameAsString();
  return P;
}

/// The array as the elements of a vector, which its declaration alone makes.
static std::optional<Proposal> byVector(const VarDecl &V, const ArrayText &T,
                                        const Statement &In,
                                        const SourceIndex &Source) {
  const std::string Name = V.getNameAsString(), Owner = Name + "_elements";
  const auto *Declaration = cast<DeclStmt>(In.Node);
  const auto Body = Source.rangeOf(In.Function->getSourceRange());
  if (!Declaration->isSingleDecl() || !T.Rest.empty() || !Body ||
      !Source.isFree(Owner, *Body) ||
      Source.context().getBaseElementType(V.getType())->isBooleanType())
    return std::nullopt;
  const std::string Text =
      ("std::vector<" + T.Element + "> " + Owner + "(" +
       T.First.drop_front().drop_back() + ");\n" + Source.indent(In.Begin) +
       T.Element + " *" + Name + " = " + Owner + ".data()")
          .str();
  return Proposal{"allocate '" + Name + "' by a vector",
                  Outcome::Merges,
                  {{In.Begin, T.Declarator.End - In.Begin, Text}},
                  Owner};
}

/// Adds what the uses of the array have to become to \p P.
static void changeUses(const VarDecl &V, const ArrayText &T,
                       const ArrayUses &Uses, Proposal &P) {
  for (const Range &R : Uses.Sizes)
    P.Edits.push_back({R.Begin, R.End - R.Begin,
                       ("sizeof(" + T.Element + T.First + T.Rest + ")").str()});
  for (const Range &R : Uses.Addresses)
    P.Edits.push_back({R.Begin, R.End - R.Begin, V.getNameAsString()});
}

/// True if host code alone runs \p F, which is compiled once.
static bool isPlainFunction(const FunctionDecl &F) {
  return !F.hasAttr<CUDADeviceAttr>() && !F.hasAttr<CUDAGlobalAttr>() &&
         !F.isConstexpr() && !F.isTemplateInstantiation() &&
         !F.isDependentContext() && !hasDestructors(F);
}

/// The statement that declares \p V, or null.
static const Statement *declaring(const VarDecl &V, const SourceIndex &Source) {
  for (const Statement *S : Source.statements())
    if (const auto *Declaration = dyn_cast<DeclStmt>(S->Node))
      if (llvm::is_contained(Declaration->decls(), &V))
        return S;
  return nullptr;
}

/// True if the names that the change adds are those of the C library.
static bool hasHeap(const FileFacts &Facts, const SourceIndex &Source) {
  const auto IsMacro = [&](StringRef Name) {
    return Source.context().Idents.get(Name).hadMacroDefinition();
  };
  return !Facts.OwnHeap && !IsMacro("malloc") && !IsMacro("calloc") &&
         !IsMacro("free");
}

static std::vector<Proposal> proposalsFor(const VarDecl &V,
                                          const FileFacts &Facts,
                                          const SourceIndex &Source) {
  const Statement *In = declaring(V, Source);
  const auto T = In ? textOf(V, Source) : std::nullopt;
  if (!T || !isPlainFunction(*In->Function) || !hasHeap(Facts, Source) ||
      !meansTheSame(T->Element, *In, Source) ||
      !meansTheSame(T->First, *In, Source) ||
      !meansTheSame(T->Rest, *In, Source))
    return {};
  const auto Uses = usesOf(V, *In, Source);
  if (!Uses)
    return {};
  std::vector<Proposal> All;
  if (Facts.Vectors)
    if (auto P = byVector(V, *T, *In, Source))
      All.push_back(std::move(*P));
  if (auto P = byMalloc(V, *T, *Uses, *In, Source))
    All.push_back(std::move(*P));
  for (Proposal &P : All) {
    changeUses(V, *T, *Uses, P);
    P.What +=
        ", not on the stack in line " + std::to_string(Source.line(In->Begin));
    P.Host += " in " + In->Function->getNameAsString();
  }
  return All;
}

std::vector<Proposal> proposalsFor(const KeptCopy &Copy,
                                   const SourceIndex &Source) {
  const Statement *S = Source.statementAt(Copy.Loc.own());
  if (!S)
    return {};
  ArrayFinder Arrays;
  Arrays.TraverseStmt(S->Node);
  if (Arrays.Found.empty())
    return {};
  FileFacts Facts(Source);
  Facts.TraverseDecl(Source.context().getTranslationUnitDecl());
  std::vector<Proposal> All;
  for (const VarDecl *V : Arrays.Found)
    for (Proposal &P : proposalsFor(*V, Facts, Source))
      All.push_back(std::move(P));
  return All;
}

} // namespace echo::suggest
