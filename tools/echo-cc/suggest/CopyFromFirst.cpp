//===- CopyFromFirst.cpp - Uploaded once, copied on the device ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One host buffer is uploaded to two device buffers, of which the first merges
// with it. The second gets its content from the first. That the two hold the
// same then is what the merge of the first shows, before and after the change:
// one buffer is read in place of itself.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "Remedy.h"
#include "Variables.h"

using namespace clang;

namespace echo::suggest {

/// The pair of \p Unit that merges with the host buffer of \p Pair, or null.
static const PairReport *takenPair(const PairReport &Pair,
                                   const UnitReport &Unit) {
  for (const PairReport &Other : Unit.Pairs)
    if (Other.Result == Verdict::Unified && Other.Host.Loc == Pair.Host.Loc &&
        Other.Host.Loc.Callers == Pair.Host.Loc.Callers)
      return &Other;
  return nullptr;
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

/// The buffer of \p Taken, if each upload of it ran before \p Copy.
static std::optional<DeviceBuffer> uploadedBefore(const PairReport &Taken,
                                                  const Statement &Copy,
                                                  const SourceIndex &Source) {
  const auto D = deviceBufferOf(Taken, Source);
  if (!D || D->Alloc->In->Function != Copy.Function ||
      !D->Alloc->In->sharesBlockWith(Copy) ||
      !isSetOnlyBy(Copy.Function, D->Variable, D->Alloc->In->Node,
                   Source.context().getSourceManager()))
    return std::nullopt;
  for (const LinkCopy &Link : Taken.Links) {
    const CudaCall *Upload = wholeCopy(Link, *D, Source);
    if (Link.HostToDevice && Upload && alwaysBefore(*Upload->In, Copy, Source))
      return D;
  }
  return std::nullopt;
}

std::vector<Proposal> CopyFromFirst::propose(const PairReport &Pair,
                                             const UnitReport &Unit,
                                             const SourceIndex &Source) const {
  const PairReport *Taken = takenPair(Pair, Unit);
  const auto Second = deviceBufferOf(Pair, Source);
  if (!Taken || !Second || Pair.Links.empty())
    return {};
  Proposal P{"copy from the device buffer that has the content already",
             Outcome::Gone,
             {}};
  for (const LinkCopy &Link : Pair.Links) {
    const CudaCall *Copy = wholeCopy(Link, *Second, Source);
    if (!Copy || !Link.HostToDevice)
      return {};
    const auto First = uploadedBefore(*Taken, *Copy->In, Source);
    if (!First || First->Variable == Second->Variable)
      return {};
    const auto Edits =
        editArguments(*Copy,
                      {{ApiRole::Src, First->Variable->getNameAsString()},
                       {ApiRole::CopyKind, "cudaMemcpyDeviceToDevice"}},
                      Source);
    if (!Edits)
      return {};
    llvm::append_range(P.Edits, *Edits);
    // A copy from the host waits for what ran before; one on the device does
    // not.
    if (!Copy->Api.isAsync() && !Source.waitsAfter(*Copy->In))
      P.Edits.push_back(
          {Copy->In->End, 0,
           "\n" + Source.indent(Copy->In->Begin) + "cudaDeviceSynchronize();"});
  }
  P.What = "copy to '" + Second->Variable->getNameAsString() +
           "' from the device buffer that has the content already";
  return {std::move(P)};
}

} // namespace echo::suggest
