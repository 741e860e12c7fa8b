//===- Allocations.cpp - What a unit allocates ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collector's part for allocators: the CUDA runtime's by the roles of their
// parameters, others by Allocators.def, and "new T[n]". An allocation that a
// variable gets is written down with that variable, any other without.
//
//===----------------------------------------------------------------------===//
#include "facts/Collector.h"

#include "Analysis/Api/CudaApi.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace echo::survey {

void Collector::allocate(const std::string &Key, Idiom Memory,
                         const Extent &Size, SourceLocation At) {
  Facts.Allocations.push_back(
      {Key, Memory, Size, FunctionKey, Names.placeOf(At)});
}

namespace {
struct Allocator {
  Idiom Memory;
  int Out, Size, Count;
};
} // namespace

/// The row of Allocators.def for \p Name; versions of the driver's functions
/// end in "_v2".
static std::optional<Allocator> allocatorOf(StringRef Name) {
  Name.consume_back("_v2");
  return llvm::StringSwitch<std::optional<Allocator>>(Name)
#define ALLOCATOR(Name, Memory, Out, Size, Count)                              \
  .Case(#Name, Allocator{Idiom::Memory, Out, Size, Count})
#include "facts/Allocators.def"
      .Default(std::nullopt);
}

/// Argument \p N of \p Call, or null.
static const Expr *argument(const CallExpr *Call, int N) {
  return N >= 0 && unsigned(N) < Call->getNumArgs() ? Call->getArg(N) : nullptr;
}

static Extent sizeOf(const CallExpr *Call, const Allocator &Row,
                     const Extents &Sizes) {
  const Expr *Size = argument(Call, Row.Size);
  Extent Bytes = Size ? Sizes.of(Size) : Extent::unknown();
  if (const Expr *Count = argument(Call, Row.Count))
    Bytes = Bytes.times(Sizes.of(Count));
  return Bytes;
}

bool Collector::allocateBy(const Expr *E, const std::string &Key) {
  E = plain(E);
  if (const auto *New = dyn_cast<CXXNewExpr>(E)) {
    if (!New->isArray())
      return false;
    const Expr *Count = New->getArraySize().value_or(nullptr);
    const Extent Size = Count ? Sizes.of(Count) : Extent::unknown();
    allocate(Key, Idiom::NewArray,
             Size.times(Sizes.ofType(New->getAllocatedType())),
             New->getBeginLoc());
    return true;
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call)
    return false;
  const auto Row = allocatorOf(calleeName(Call));
  if (!Row || Row->Out >= 0)
    return false;
  allocate(Key, Row->Memory, sizeOf(Call, *Row, Sizes), Call->getBeginLoc());
  return true;
}

bool Collector::readAllocator(const CallExpr *Call, const std::string &Name) {
  const auto Row = allocatorOf(Name);
  if (!Row)
    return false;
  std::string Key;
  if (const Expr *Out = argument(Call, Row->Out))
    Key = operand(targetOf(Out)).Key;
  // One that is returned comes again with the variable that gets it; the place
  // makes them one.
  allocate(Key, Row->Memory, sizeOf(Call, *Row, Sizes), Call->getBeginLoc());
  return true;
}

/// What a row of CudaApi.def allocates.
static Idiom memoryOf(const ApiInfo &Row) {
  if (Row.Kind == ApiKind::AllocManaged)
    return Idiom::Managed;
  if (Row.Kind == ApiKind::AllocHost)
    return Idiom::Pinned;
  if (Row.Kind == ApiKind::AllocDevice)
    return Row.isAsync() ? Idiom::DeviceAsync : Idiom::Device;
  return Idiom::DevicePitch;
}

void Collector::readAllocatingRow(const CallExpr *Call, const ApiInfo &Row) {
  for (unsigned N = 0; N < Row.Roles.size() && N < Call->getNumArgs(); ++N) {
    const ApiRole Role = Row.Roles[N];
    if (Role != ApiRole::OutDev && Role != ApiRole::OutHost &&
        Role != ApiRole::OutManaged)
      continue;
    Idiom Memory = memoryOf(Row);
    const auto Flags = Row.find(ApiRole::Flags);
    if (Memory == Idiom::Pinned && Flags && *Flags < Call->getNumArgs()) {
      const Extent Value = Sizes.of(Call->getArg(*Flags));
      // cudaHostAllocMapped
      if (Value.isConstant() && (Value.Constant & 2))
        Memory = Idiom::Mapped;
    }
    const auto Bytes = Row.find(ApiRole::Bytes);
    const Expr *Size = Bytes ? argument(Call, int(*Bytes)) : nullptr;
    allocate(operand(targetOf(Call->getArg(N))).Key, Memory,
             Size ? Sizes.of(Size) : Extent::unknown(), Call->getBeginLoc());
  }
}

/// The elements of \p V, which its constructor may be given.
void Collector::readContainer(const VarDecl *V) {
  const QualType T = V->getType();
  const Idiom Memory = *containerOf(T);
  const Expr *Init = V->getInit() ? V->getInit()->IgnoreImplicit() : nullptr;
  const Expr *Count = nullptr;
  if (const auto *Made = dyn_cast_or_null<CXXConstructExpr>(Init))
    Count = Made->getNumArgs() ? Made->getArg(0) : nullptr;
  else if (const auto *List = dyn_cast_or_null<ParenListExpr>(Init))
    Count = List->getNumExprs() ? List->getExpr(0) : nullptr;
  Extent Size = Extent::unknown();
  if (Count && !Count->getType().isNull() &&
      (Count->getType()->isIntegerType() || Count->isTypeDependent()))
    Size = Sizes.of(Count).times(Sizes.ofType(elementOf(T)));
  // Memory of the host matters where copies use it.
  if (!Size.Known && infoOf(Memory).In != Group::DeviceLibrary)
    return;
  Named N;
  N.Decl = V;
  const std::string Key = keyOf(N, Names);
  describe(N, Key);
  allocate(Key, Memory, Size, V->getLocation());
}

void Collector::resize(const CallExpr *Call, const std::string &Name) {
  const auto *Member = dyn_cast<MemberExpr>(plain(Call->getCallee()));
  if (!Member || Call->getNumArgs() == 0 ||
      (Name != "resize" && Name != "assign"))
    return;
  const QualType T = Member->getBase()->getType();
  const auto Container = containerOf(T);
  const Named N = bufferOf(Member->getBase());
  if (!Container || !N.Decl || !Call->getArg(0)->getType()->isIntegerType())
    return;
  allocate(keyOf(N, Names), *Container,
           Sizes.of(Call->getArg(0)).times(Sizes.ofType(elementOf(T))),
           Call->getBeginLoc());
}

} // namespace echo::survey
