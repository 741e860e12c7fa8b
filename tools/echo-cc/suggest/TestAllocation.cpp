//===- TestAllocation.cpp - A test of what an allocation returns ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy overwrites a buffer only if the other one was allocated, and the
// program does not look at that. A test ends the program where an allocation
// fails. Where all succeed, an empty one as well, the program does the same as
// before: a check that does more is never copied.
//
//===----------------------------------------------------------------------===//
#include "ErrorChecks.h"
#include "Remedy.h"

using namespace clang;

namespace echo::suggest {

/// The variable that \p E names or is a part of, its address included; or null.
static const ValueDecl *ownerOf(const Expr *E) {
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *Name = dyn_cast<DeclRefExpr>(E))
      return Name->getDecl();
    if (const auto *Operator = dyn_cast<UnaryOperator>(E))
      E = Operator->getOpcode() == UO_AddrOf ? Operator->getSubExpr() : nullptr;
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->isArrow() ? nullptr : Member->getBase();
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      E = Element->getBase();
    else
      E = nullptr;
  }
  return nullptr;
}

using CudaCalls = std::vector<const CudaCall *>;

/// Adds a test to each of \p Allocs; nothing: one of them has another form.
static std::optional<Proposal> test(const CudaCalls &Allocs,
                                    const std::optional<ErrorCheck> &Check,
                                    const SourceIndex &Source) {
  Proposal P;
  for (const CudaCall *Alloc : Allocs) {
    const auto Edits =
        Check ? testBy(*Check, *Alloc, Source) : testByIf(*Alloc, Source);
    if (!Edits)
      return std::nullopt;
    llvm::append_range(P.Edits, *Edits);
    P.What += (P.What.empty() ? "" : ", ") +
              std::to_string(Source.line(Alloc->In->Begin));
  }
  const bool One = Allocs.size() == 1;
  P.What = (One ? "test what the allocation of line " + P.What + " returns"
                : "test what the allocations of lines " + P.What + " return");
  return P;
}

std::vector<Proposal> TestAllocation::propose(const PairReport &Pair,
                                              const UnitReport &,
                                              const SourceIndex &Source) const {
  // Only where the report names the copy that needs the allocation.
  if (Pair.Because.size() < 3)
    return {};
  const CudaCall *Own = Source.writtenAt(Pair.Device.Loc, ApiKind::AllocDevice);
  const CudaCall *Copy =
      Source.writtenAt(Pair.Because.back().Loc, ApiKind::Copy);
  const Expr *Out = Own ? Own->argument(ApiRole::OutDev) : nullptr;
  if (!Out || !Copy)
    return {};
  CudaCalls Named, Alike;
  for (const CudaCall *Alloc :
       Source.callsIn(Own->In->Function, ApiKind::AllocDevice)) {
    const Expr *Other = Alloc->argument(ApiRole::OutDev);
    if (!Other || !testByIf(*Alloc, Source))
      continue; // it is tested, or no statement of its own
    const ValueDecl *Owner = ownerOf(Other);
    if (Owner && (Owner == ownerOf(Copy->argument(ApiRole::Src)) ||
                  Owner == ownerOf(Copy->argument(ApiRole::Dst))))
      Named.push_back(Alloc);
    if (Source.context().hasSameType(Other->IgnoreParenCasts()->getType(),
                                     Out->IgnoreParenCasts()->getType()))
      Alike.push_back(Alloc);
  }
  std::vector<Proposal> All;
  const std::optional<ErrorCheck> Check = commonCheck(Source);
  for (const CudaCalls &Allocs : {Named, Alike}) {
    if (Allocs.empty())
      continue;
    if (auto P = Check ? test(Allocs, Check, Source) : std::nullopt)
      All.push_back(std::move(*P));
    if (auto P = test(Allocs, std::nullopt, Source))
      All.push_back(std::move(*P));
    if (Named == Alike)
      break;
  }
  return All;
}

} // namespace echo::suggest
