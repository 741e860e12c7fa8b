//===- Remedy.h - A kind of change that lets pairs merge --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remedy proposes changes of the source for pairs that were declined for
// reasons of its row in Remedies.def. The changed program must do the same when
// any CUDA compiler compiles it. Where the text alone does not show that, the
// proposal must say that only a merge proves it (Outcome::Unifies).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_REMEDY_H
#define ECHO_CC_SUGGEST_REMEDY_H

#include "Proposal.h"
#include "SourceIndex.h"

namespace echo::suggest {

class Remedy {
public:
  virtual ~Remedy() = default;
  /// Changes for \p Pair of \p Unit, the best first; none where the source has
  /// another form than the remedy knows.
  virtual std::vector<Proposal> propose(const PairReport &Pair,
                                        const UnitReport &Unit,
                                        const SourceIndex &Source) const = 0;
};

/// What all remedies of the reason of \p Pair propose, in the order of
/// Remedies.def.
std::vector<Proposal> proposalsFor(const PairReport &Pair,
                                   const UnitReport &Unit,
                                   const SourceIndex &Source);

/// Changes with which the host side of \p Copy, a local array, is a buffer that
/// a pair may have; likewise.
std::vector<Proposal> proposalsFor(const KeptCopy &Copy,
                                   const SourceIndex &Source);

/// One wait before an access that meets work in flight.
class AddWait : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// A host buffer that is filled where it is declared is declared before the
/// device buffer is allocated.
class DeclareEarlier : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// The program ends where the allocation of a buffer fails, of which it did not
/// look at the result.
class TestAllocation : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// A member that gets device memory is cleared before.
class ClearBefore : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// A second device buffer takes part in the copies; the first one gets its
/// content from there.
class CopyOnDevice : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// A host buffer that is filled for several device buffers becomes several.
class SplitBuffer : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

/// What was uploaded already is copied from the device buffer that has it.
class CopyFromFirst : public Remedy {
  std::vector<Proposal> propose(const PairReport &, const UnitReport &,
                                const SourceIndex &) const override;
};

} // namespace echo::suggest

#endif
