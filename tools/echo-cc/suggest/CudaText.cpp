//===- CudaText.cpp - CUDA calls with other arguments ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an argument that is an address or a cast, only the variable's name
// changes.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "ErrorChecks.h"
#include "Variables.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace echo::suggest {

std::optional<DeviceBuffer> deviceBufferOf(const PairReport &Pair,
                                           const SourceIndex &Source) {
  const CudaCall *Alloc =
      Source.writtenAt(Pair.Device.Loc, ApiKind::AllocDevice);
  if (!Alloc || Alloc->Api.isAsync() || !Source.isWhole(*Alloc))
    return std::nullopt;
  const VarDecl *V = addressedBy(Alloc->argument(ApiRole::OutDev));
  if (!V || !V->getType()->isPointerType())
    return std::nullopt;
  return DeviceBuffer{V, Alloc, Pair.Device.Loc.Callers};
}

const CudaCall *wholeCopy(const LinkCopy &Link, const DeviceBuffer &D,
                          const SourceIndex &Source) {
  const CudaCall *Copy = Source.writtenAt(Link.Loc, ApiKind::Copy);
  if (!Copy || !Source.isWhole(*Copy) || !Link.Full || Link.Chosen ||
      Link.Loc.Callers != D.Callers)
    return nullptr;
  const ApiRole Side = Link.HostToDevice ? ApiRole::Dst : ApiRole::Src;
  return variableOf(Copy->argument(Side)) == D.Variable ? Copy : nullptr;
}

/// What of argument \p E is to be replaced: the name of a variable alone, or
/// the whole.
static const Expr *namedPart(const Expr *E) {
  const DeclRefExpr *Name = nullptr;
  if (addressedBy(E, &Name))
    return Name;
  return variableOf(E) ? E->IgnoreParenCasts() : E;
}

/// The parts of the statement of \p Call that \p New replaces.
static std::optional<NewParts> partsOf(const CudaCall &Call,
                                       const NewArguments &New,
                                       const SourceIndex &Source) {
  NewParts Parts;
  for (const auto &[Role, Text] : New) {
    const Expr *Argument = Call.argument(Role);
    const std::optional<Range> At =
        Argument ? Source.rangeOf(namedPart(Argument)->getSourceRange())
                 : std::nullopt;
    if (!At || !Call.In->holds(*At))
      return std::nullopt;
    Parts[At->Begin] = {*At, Text};
  }
  return Parts;
}

std::optional<std::string> withArguments(const CudaCall &Call,
                                         const NewArguments &New,
                                         const SourceIndex &Source) {
  const auto Parts = partsOf(Call, New, Source);
  const auto Whole = Source.wholeOf(Call);
  if (!Parts || !Whole)
    return std::nullopt;
  return Source.rewritten({Whole->Again, Whole->End}, *Parts);
}

std::optional<std::vector<Edit>> editArguments(const CudaCall &Call,
                                               const NewArguments &New,
                                               const SourceIndex &Source) {
  const auto Parts = partsOf(Call, New, Source);
  if (!Parts)
    return std::nullopt;
  std::vector<Edit> Edits;
  for (const auto &[Begin, Part] : *Parts)
    Edits.push_back({Begin, Part.first.End - Begin, Part.second});
  return Edits;
}

std::string declarationLike(const VarDecl &V, std::string Name,
                            const SourceIndex &Source) {
  const TypeSourceInfo *Written = V.getTypeSourceInfo();
  TypeLoc Type = Written ? Written->getTypeLoc() : TypeLoc();
  std::string Declarator = Name, Init;
  const Expr *First = V.getInit();
  if (First && First->isNullPointerConstant(Source.context(),
                                            Expr::NPC_ValueDependentIsNotNull))
    if (const auto At = Source.rangeOf(First->getSourceRange()))
      Init = " = " + Source.text(*At).str();
  while (const auto Pointer = Type.getAs<PointerTypeLoc>()) {
    Declarator.insert(0, 1, '*');
    Type = Pointer.getPointeeLoc();
  }
  if (Type && !Type.getAs<QualifiedTypeLoc>() && !Type.getAs<AutoTypeLoc>())
    if (const auto At = Source.rangeOf(Type.getSourceRange()))
      return Source.text(*At).str() + " " + Declarator + Init + ";";
  V.getType().getUnqualifiedType().getAsStringInternal(
      Name, Source.context().getPrintingPolicy());
  return Name + Init + ";";
}

std::string waitLike(const Statement &S, const SourceIndex &Source) {
  const std::string Wait = "cudaDeviceSynchronize()";
  const CudaCall *Nearest = nullptr;
  for (const CudaCall *Call : Source.callsIn(S.Function))
    if (Call->In->Begin <= S.Begin &&
        (!Nearest || Nearest->In->Begin < Call->In->Begin))
      Nearest = Call;
  if (const auto Check = Nearest ? checkOf(*Nearest, Source) : std::nullopt)
    return Check->Before + Wait + Check->After;
  return Wait + ";";
}

} // namespace echo::suggest
