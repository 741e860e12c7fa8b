//===- Collector.cpp - Facts from Clang's tree ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes from function to function, and in each from statement to statement.
// Instances of templates are left out: their pattern is read. Files outside the
// surveyed folder are not read.
//
//===----------------------------------------------------------------------===//
#include "facts/Collector.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace echo::survey {

Collector::Collector(ASTContext &Context, const std::string &Root,
                     FileFacts &Facts)
    : Context(Context), Names(Context.getSourceManager(), Root),
      Sizes(Context, Names), Facts(Facts) {}

/// The pointers of \p To, read \p Loads times, get the value of \p From.
void Collector::assign(const ValueDecl *To, unsigned Loads, const Expr *From) {
  if (!To || !From)
    return;
  Named Target;
  Target.Decl = To;
  Target.Loads = Loads;
  const std::string Key = isa<FunctionDecl>(To)
                              ? Names.ofResult(cast<FunctionDecl>(To))
                              : keyOf(Target, Names);
  if (allocateBy(From, Key)) {
    describe(Target, Key);
    return;
  }
  const QualType T = From->getType();
  if (T.isNull() || !(T->isAnyPointerType() || T->isDependentType() ||
                      T->isArrayType() || containerOf(T)))
    return;
  const Named Source = bufferOf(From);
  // An address of a variable is no buffer that an allocator makes.
  if (!Source.Decl || Source.Address || Source.Decl == To)
    return;
  describe(Target, Key);
  Facts.Assignments.push_back(
      {Key, operand(Source).Key, Names.placeOf(plain(From)->getBeginLoc())});
}

void Collector::readVariable(const VarDecl *V) {
  if (!Names.isInside(V->getLocation()))
    return;
  if (containerOf(V->getType()))
    readContainer(V);
  if (const Expr *Init = V->getInit())
    assign(V, 0, Init);
  for (const auto *A : V->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == "managed")
      allocate(Names.ofDeclaration(V), Idiom::Managed,
               Sizes.ofType(V->getType()), V->getLocation());
}

void Collector::readBody(const Stmt *Body) {
  Sizes.enter(Body);
  const auto Matcher = findAll(
      stmt(anyOf(callExpr().bind("call"), cxxNewExpr().bind("new"),
                 binaryOperator(hasOperatorName("=")).bind("assign"),
                 cxxOperatorCallExpr(hasOperatorName("=")).bind("operator"),
                 returnStmt().bind("return"), declStmt().bind("declaration"))));
  for (const BoundNodes &Found : match(Matcher, *Body, Context)) {
    if (const auto *Call = Found.getNodeAs<CallExpr>("call"))
      readCall(Call);
    if (const auto *New = Found.getNodeAs<CXXNewExpr>("new"))
      allocateBy(New, "");
    if (const auto *Op = Found.getNodeAs<BinaryOperator>("assign")) {
      const Named To = bufferOf(Op->getLHS());
      assign(To.Decl, To.Loads, Op->getRHS());
    }
    if (const auto *Op = Found.getNodeAs<CXXOperatorCallExpr>("operator");
        Op && Op->getNumArgs() == 2) {
      const Named To = bufferOf(Op->getArg(0));
      assign(To.Decl, To.Loads, Op->getArg(1));
    }
    if (const auto *Return = Found.getNodeAs<ReturnStmt>("return"))
      assign(Function, 0, Return->getRetValue());
    if (const auto *Statement = Found.getNodeAs<DeclStmt>("declaration"))
      for (const Decl *D : Statement->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          readVariable(V);
  }
}

void Collector::run(const std::vector<Decl *> &TopLevel) {
  Context.setTraversalScope(TopLevel);
  const auto Written =
      functionDecl(isDefinition(), unless(isImplicit()),
                   unless(isTemplateInstantiation()),
                   unless(cxxMethodDecl(ofClass(cxxRecordDecl(isLambda())))))
          .bind("function");
  const auto Outside =
      varDecl(hasGlobalStorage(), unless(isTemplateInstantiation()),
              unless(hasParent(declStmt())))
          .bind("variable");
  const auto Member = fieldDecl(unless(isImplicit())).bind("member");
  for (const BoundNodes &Found :
       match(decl(findAll(decl(anyOf(Written, Outside, Member)))),
             *Context.getTranslationUnitDecl(), Context)) {
    if (const auto *V = Found.getNodeAs<VarDecl>("variable"))
      readVariable(V);
    if (const auto *M = Found.getNodeAs<FieldDecl>("member");
        M && M->getInClassInitializer())
      assign(M, 0, M->getInClassInitializer());
    const auto *F = Found.getNodeAs<FunctionDecl>("function");
    if (!F || !F->hasBody() || !Names.isInside(F->getLocation()))
      continue;
    Function = F;
    FunctionKey = Names.ofFunction(F);
    readBody(F->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *I : Constructor->inits())
        if (I->isAnyMemberInitializer())
          assign(I->getAnyMember(), 0, I->getInit());
    Function = nullptr;
    FunctionKey.clear();
  }
}

} // namespace echo::survey
