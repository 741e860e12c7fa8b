//===- CopyFromFirst.cpp - Uploaded once, copied on the device ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One host buffer is uploaded to two device buffers, of which the first merges
// with it. The second gets its content from the first. That the two hold the
// same then is what the merge of the first shows, before and after the change:
// one buffer is read in place of itself. Where that depends on sizes that are
// known at run time alone, the text shows it: one upload follows the other.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "Remedy.h"
#include "Variables.h"

using namespace clang;

namespace echo::suggest {

/// The pair of \p Unit that merges with the host buffer of \p Pair, maybe only
/// where its sizes are equal; or null.
static const PairReport *takenPair(const PairReport &Pair,
                                   const UnitReport &Unit) {
  const PairReport *Found = nullptr;
  for (const PairReport &Other : Unit.Pairs)
    if ((Other.Result == Verdict::Unified ||
         (Other.Result == Verdict::Guarded && !Found)) &&
        Other.Host.Loc == Pair.Host.Loc &&
        Other.Host.Loc.Callers == Pair.Host.Loc.Callers)
      Found = &Other;
  return Found;
}

/// True if \p First has run whenever \p Then runs, each time before it.
static bool alwaysBefore(const Statement &First, const Statement &Then,
                         const SourceIndex &Source) {
  if (First.End > Then.Begin || !First.sharesBlockWith(Then))
    return false;
  // A jump to one of these leaves the first out.
  return llvm::none_of(
      Source.statementsOf(First.Block), [&](const Statement *S) {
        return S->Begin >= First.End && S->Begin <= Then.Begin &&
               isa<SwitchCase, LabelStmt>(S->Node);
      });
}

static bool isUpload(const CudaCall &Copy) {
  const Expr *Kind = Copy.argument(ApiRole::CopyKind);
  const auto *Name =
      Kind ? dyn_cast<DeclRefExpr>(Kind->IgnoreParenCasts()) : nullptr;
  return Name && Name->getDecl()->getNameAsString() == "cudaMemcpyHostToDevice";
}

/// The local variable that \p E is, or the container whose memory it is; or
/// null.
static const VarDecl *memoryOf(const Expr *E) {
  const auto *Call =
      E ? dyn_cast<CXXMemberCallExpr>(E->IgnoreParenCasts()) : nullptr;
  return variableOf(
      Call && asksForMemory(Call) ? Call->getImplicitObjectArgument() : E);
}

/// True if \p A and \p B upload as many bytes from the same place, and all that
/// runs between them are other uploads and allocations.
static bool areAdjacent(const CudaCall &A, const CudaCall &B,
                        const SourceIndex &Source) {
  const auto SameText = [&](ApiRole Role) {
    const Expr *OfA = A.argument(Role), *OfB = B.argument(Role);
    const auto InA = OfA ? Source.rangeOf(OfA->getSourceRange()) : std::nullopt;
    const auto InB = OfB ? Source.rangeOf(OfB->getSourceRange()) : std::nullopt;
    return InA && InB && Source.text(*InA) == Source.text(*InB);
  };
  if (!isUpload(A) || A.Api.isAsync() || B.Api.isAsync() ||
      A.In->Block != B.In->Block || A.In->Begin >= B.In->Begin ||
      !Source.isWhole(A) || !SameText(ApiRole::Src) ||
      !SameText(ApiRole::Bytes))
    return false;
  const auto Decides = dependencies(B.argument(ApiRole::Bytes));
  const VarDecl *From = memoryOf(B.argument(ApiRole::Src));
  const VarDecl *To = variableOf(A.argument(ApiRole::Dst));
  if (!Decides || !From || !To)
    return false;
  const auto Keeps = [&](const Statement *S) {
    return !mayChange(S->Node, From) && !mayChange(S->Node, To) &&
           llvm::none_of(*Decides, [&](const VarDecl *V) {
             return mayChange(S->Node, V);
           });
  };
  const std::vector<const CudaCall *> Calls = Source.callsIn(A.In->Function);
  return llvm::all_of(
      Source.statementsOf(A.In->Block), [&](const Statement *S) {
        if (S->End <= A.In->End || S->Begin >= B.In->Begin)
          return true;
        return Keeps(S) && llvm::any_of(Calls, [&](const CudaCall *C) {
                 return C->In == S && Source.isWhole(*C) &&
                        (C->Api.Kind == ApiKind::AllocDevice ||
                         (C->Api.Kind == ApiKind::Copy && isUpload(*C) &&
                          variableOf(C->argument(ApiRole::Dst)) != To));
               });
      });
}

/// The variable of the buffer of \p Taken, if it holds what \p Upload uploads.
static const VarDecl *uploadedBefore(const PairReport &Taken,
                                     const CudaCall &Upload,
                                     const SourceIndex &Source) {
  const Statement &Copy = *Upload.In;
  const auto D = deviceBufferOf(Taken, Source);
  if (!D || !D->Callers.empty())
    return nullptr;
  for (const CudaCall *First : Source.callsIn(Copy.Function, ApiKind::Copy))
    if (variableOf(First->argument(ApiRole::Dst)) == D->Variable &&
        areAdjacent(*First, Upload, Source))
      return D->Variable;
  if (Taken.Result != Verdict::Unified ||
      D->Alloc->In->Function != Copy.Function ||
      !D->Alloc->In->sharesBlockWith(Copy) ||
      !isSetOnlyBy(Copy.Function, D->Variable, D->Alloc->Call,
                   Source.context().getSourceManager()))
    return nullptr;
  for (const LinkCopy &Link : Taken.Links) {
    const CudaCall *First = wholeCopy(Link, *D, Source);
    if (Link.HostToDevice && First && alwaysBefore(*First->In, Copy, Source))
      return D->Variable;
  }
  return nullptr;
}

std::vector<Proposal> CopyFromFirst::propose(const PairReport &Pair,
                                             const UnitReport &Unit,
                                             const SourceIndex &Source) const {
  const PairReport *Taken = takenPair(Pair, Unit);
  const auto Second = deviceBufferOf(Pair, Source);
  if (!Taken || !Second || !Second->Callers.empty() || Pair.Links.empty())
    return {};
  Proposal P{"copy from the device buffer that has the content already",
             Outcome::Gone,
             {}};
  for (const LinkCopy &Link : Pair.Links) {
    const CudaCall *Copy = wholeCopy(Link, *Second, Source);
    if (!Copy || !Link.HostToDevice)
      return {};
    const VarDecl *First = uploadedBefore(*Taken, *Copy, Source);
    if (!First || First == Second->Variable)
      return {};
    const auto Edits =
        editArguments(*Copy,
                      {{ApiRole::Src, First->getNameAsString()},
                       {ApiRole::CopyKind, "cudaMemcpyDeviceToDevice"}},
                      Source);
    if (!Edits)
      return {};
    llvm::append_range(P.Edits, *Edits);
    // A copy from the host waits for what ran before; one on the device does
    // not.
    const auto Whole = Source.wholeOf(*Copy);
    if (!Copy->Api.isAsync() && Whole && !Source.waitsAfter(*Copy))
      P.Edits.push_back({Source.after(*Whole), 0,
                         "\n" + Source.indent(Copy->In->Begin) +
                             waitLike(*Copy->In, Source)});
  }
  P.What = "copy to '" + Second->Variable->getNameAsString() +
           "' from the device buffer that has the content already";
  return {std::move(P)};
}

} // namespace echo::suggest
