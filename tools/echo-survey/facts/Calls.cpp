//===- Calls.cpp - What a unit calls --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collector's part for calls: copies with their direction, what is counted
// only, and calls of the program's own functions, whose arguments are what
// parameters stand for.
//
//===----------------------------------------------------------------------===//
#include "facts/Collector.h"

#include "Analysis/Api/CudaApi.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace clang::ast_matchers;
using llvm::StringRef;

namespace echo::survey {

void Collector::count(Idiom What, SourceLocation At) {
  Facts.Uses.push_back({What, Names.placeOf(At)});
}

void Collector::describe(const Named &N, const std::string &Key) {
  if (!N.Decl || Key.empty() || !Described.insert(Key).second)
    return;
  Buffer B;
  B.Key = Key;
  B.Name = N.Decl->getNameAsString();
  B.At = Names.placeOf(N.Decl->getLocation());
  if (const auto *V = dyn_cast<VarDecl>(N.Decl);
      V && V->getParentFunctionOrMethod())
    B.Function = FunctionKey;
  const QualType T = N.Decl->getType();
  if (isa<FunctionDecl>(N.Decl) || T.isNull()) {
  } else if (N.Address) {
    B.Own = Idiom::Value;
    B.OwnExtent = Sizes.ofType(T);
  } else if (const auto Container = containerOf(T)) {
    B.Own = Container;
  } else if (T->isArrayType() && !N.Loads) {
    const auto *V = dyn_cast<VarDecl>(N.Decl);
    B.Own = V && V->isLocalVarDecl() ? Idiom::StackArray : Idiom::GlobalArray;
    B.OwnExtent = Sizes.ofType(T);
  }
  Facts.Buffers.push_back(std::move(B));
}

Operand Collector::operand(const Named &N) {
  const std::string Key = keyOf(N, Names);
  describe(N, Key);
  return {Key, N.Offset};
}

/// The direction that \p Kind, a cudaMemcpyKind, shows.
static Idiom directionOf(const Expr *Kind) {
  const auto *Ref = dyn_cast<DeclRefExpr>(plain(Kind));
  return llvm::StringSwitch<Idiom>(Ref ? Ref->getDecl()->getName() : "")
      .Case("cudaMemcpyHostToDevice", Idiom::CopyH2D)
      .Case("cudaMemcpyDeviceToHost", Idiom::CopyD2H)
      .Case("cudaMemcpyDeviceToDevice", Idiom::CopyD2D)
      .Case("cudaMemcpyHostToHost", Idiom::CopyH2H)
      .Default(Idiom::CopyUnknown);
}

void Collector::addCopy(Copy C, const CallExpr *Call) {
  C.Function = FunctionKey;
  C.At = Names.placeOf(Call->getBeginLoc());
  // The usual macros wrap a call in "do { ... } while (0)".
  const auto Never = expr(ignoringParenImpCasts(
      anyOf(integerLiteral(equals(0)), cxxBoolLiteral(equals(false)))));
  const auto Loop = stmt(anyOf(forStmt(), cxxForRangeStmt(), whileStmt(),
                               doStmt(unless(hasCondition(Never)))));
  C.InLoop = !match(callExpr(hasAncestor(Loop)), *Call, Context).empty();
  Facts.Copies.push_back(std::move(C));
}

void Collector::readCopy(const CallExpr *Call, const ApiInfo &Row) {
  auto Argument = [&](ApiRole Role) -> const Expr * {
    const auto N = Row.find(Role);
    return N && *N < Call->getNumArgs() ? Call->getArg(*N) : nullptr;
  };
  const Expr *To = Argument(ApiRole::Dst), *From = Argument(ApiRole::Src);
  if (!To || !From)
    return;
  Copy C;
  const Expr *Kind = Argument(ApiRole::CopyKind);
  C.Direction = Kind ? directionOf(Kind) : Idiom::CopyUnknown;
  C.Async = Row.isAsync();
  C.Rows = Row.Kind == ApiKind::Copy2D;
  C.To = operand(bufferOf(To));
  C.From = operand(bufferOf(From));
  if (C.Rows)
    C.Size = Sizes.of(Argument(ApiRole::Width))
                 .times(Sizes.of(Argument(ApiRole::Height)));
  else
    C.Size = Sizes.of(Argument(ApiRole::Bytes));
  addCopy(std::move(C), Call);
}

bool Collector::readDriverCopy(const CallExpr *Call, const std::string &Name) {
  StringRef Base = Name;
  Base.consume_back("_v2");
  const auto Direction = llvm::StringSwitch<std::optional<Idiom>>(Base)
#define DRIVER_COPY(Name, Direction) .Case(#Name, Idiom::Direction)
#include "facts/Allocators.def"
                             .Default(std::nullopt);
  if (!Direction || Call->getNumArgs() < 3)
    return false;
  Copy C;
  C.Direction = *Direction;
  C.Async = Base.ends_with("Async");
  C.To = operand(bufferOf(Call->getArg(0)));
  C.From = operand(bufferOf(Call->getArg(1)));
  C.Size = Sizes.of(Call->getArg(2));
  addCopy(std::move(C), Call);
  return true;
}

void Collector::readRow(const CallExpr *Call, const ApiInfo &Row) {
  readAllocatingRow(Call, Row);
  const SourceLocation At = Call->getBeginLoc();
  switch (Row.Kind) {
  case ApiKind::Copy:
  case ApiKind::Copy2D:
    return readCopy(Call, Row);
  case ApiKind::CopySymbol:
    return count(Idiom::CopySymbol, At);
  case ApiKind::CopyArray:
    return count(Idiom::CopyArray, At);
  case ApiKind::Array:
    if (StringRef(Row.Name).starts_with("cudaMalloc"))
      count(Idiom::DeviceArray, At);
    return;
  case ApiKind::Launch:
    return count(Idiom::Launch, At);
  case ApiKind::Set:
  case ApiKind::Set2D:
    return count(Idiom::Memset, At);
  case ApiKind::StreamCreate:
    return count(Idiom::StreamCreate, At);
  case ApiKind::Capture:
    return count(Idiom::Graph, At);
  case ApiKind::Register:
    if (Row.find(ApiRole::Bytes))
      allocate(operand(bufferOf(Call->getArg(0))).Key, Idiom::Registered,
               Extent::unknown(), At);
    return;
  default:
    // The host's buffer is the one that kernels use.
    if (Row.Name == "cudaHostGetDevicePointer" && Call->getNumArgs() > 1)
      allocate(operand(bufferOf(Call->getArg(1))).Key, Idiom::Mapped,
               Extent::unknown(), At);
  }
}

void Collector::readOwnCall(const CallExpr *Call) {
  const FunctionDecl *F = calleeOf(Call);
  if (!F || !Names.isInside(patternOf(F)->getLocation()))
    return;
  survey::Call C;
  C.Callee = Names.ofFunction(F);
  C.Caller = FunctionKey;
  C.At = Names.placeOf(Call->getBeginLoc());
  const unsigned First =
      isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(F);
  for (unsigned N = First; N < Call->getNumArgs(); ++N) {
    const Expr *E = Call->getArg(N);
    Named Value = bufferOf(E);
    survey::Call::Argument A;
    A.ByAddress = Value.Address;
    Value.Address = false;
    const QualType T = E->getType();
    if (!T.isNull() && !T->isArithmeticType())
      A.Value = operand(Value);
    A.Size = Sizes.of(E);
    C.Arguments.push_back(std::move(A));
  }
  Facts.Calls.push_back(std::move(C));
}

void Collector::readCall(const CallExpr *Call) {
  if (!Names.isInside(Call->getBeginLoc()))
    return;
  if (isa<CUDAKernelCallExpr>(Call))
    return count(Idiom::Launch, Call->getBeginLoc());
  const std::string Name = calleeName(Call);
  if (const auto Row = lookupCudaApi(Name))
    return readRow(Call, *Row);
  if (readAllocator(Call, Name) || readDriverCopy(Call, Name))
    return;
  resize(Call, Name);
  readOwnCall(Call);
}

} // namespace echo::survey
