//===- Proposal.h - Changes that may let a pair merge -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host job reports to the driver of a unit: its pairs, and for those
// that are declined the changes of the main file that remedies propose, the
// best first.
// A proposal is a guess until the unit was compiled with it (Search.h).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_PROPOSAL_H
#define ECHO_CC_SUGGEST_PROPOSAL_H

#include "Support/Verdict.h"
#include "llvm/Support/Error.h"

namespace echo::suggest {

/// `Text` takes the place of `Length` bytes at `Offset` of the main file.
struct Edit {
  unsigned Offset = 0, Length = 0;
  std::string Text;
};

/// What the report must say of the changed unit.
enum class Outcome {
  Merges,  ///< one more pair of the same host buffer merges
  Unifies, ///< likewise, whatever the sizes are: only this proves the change
  Gone,    ///< the pair is none any more
};

/// One change, and what it does in words.
struct Proposal {
  std::string What;
  Outcome Result = Outcome::Merges;
  std::vector<Edit> Edits;
  /// The host buffer that merges then, where it is not the pair's.
  std::string Host = {};
};

/// A pair of the unit's report, with its number there. Buffers are called by
/// variable and function, which a change leaves as they are.
struct PairState {
  std::string Host, Device;
  Verdict Result = Verdict::Declined;
  std::vector<Proposal> Proposals;
};

/// A function, by the linker's name and the user's.
struct Symbol {
  std::string Linked, Name;
};

/// What a unit does not see where a pair is declined or a copy stays.
struct OutOfSight {
  std::vector<Symbol> Needed; ///< functions whose bodies are elsewhere
  std::vector<Symbol> Own;    ///< the function whose callers are elsewhere
  std::string Otherwise; ///< the advice where no unit has them; "": as it was
};

/// All pairs of a unit, and the copies that stay, in the order of its report.
struct UnitState {
  std::string File; ///< the main file, as clang names it
  std::vector<PairState> Pairs;
  std::vector<std::vector<Proposal>> Copies; ///< proposals for each copy
  std::vector<OutOfSight> Missing;           ///< of each pair, then each copy
  std::vector<std::string> Defined, Called;  ///< functions (OtherUnits.h)

  /// The proposals for pair \p Number, or for a copy: their numbers follow.
  const std::vector<Proposal> &proposals(unsigned Number) const {
    return Number < Pairs.size() ? Pairs[Number].Proposals
                                 : Copies[Number - Pairs.size()];
  }
};

/// The text that readUnitState() reads.
std::string toText(const UnitState &Unit);
/// Fails if \p Path cannot be read or is no such text.
llvm::Expected<UnitState> readUnitState(llvm::StringRef Path);

} // namespace echo::suggest

#endif
