//===- OtherUnits.h - What a unit needs of other units ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says for what a pair or a copy stays whether -flto would have it in sight: a
// function that another unit of the command defines, or a caller there. Names
// are those of the linker, so that two functions of one name are two. That the
// pair merges then is not compiled, and must never be said.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_OTHERUNITS_H
#define ECHO_CC_SUGGEST_OTHERUNITS_H

#include "Proposal.h"
#include "SourceIndex.h"
#include <map>

namespace echo::suggest {

/// The functions of the program that the unit defines, and those that it calls
/// and does not define.
void addFunctions(UnitState &Unit, const SourceIndex &Source);

/// What is out of sight where \p Pair is declined.
OutOfSight outOfSight(const PairReport &Pair, const SourceIndex &Source);
/// What is out of sight of \p Copy.
OutOfSight outOfSight(const KeptCopy &Copy, const SourceIndex &Source);

/// What to say in place of the general advice, by the number of a pair or copy
/// of \p Units[Number].
std::map<unsigned, std::string> linkAdvice(llvm::ArrayRef<UnitState> Units,
                                           unsigned Number);

} // namespace echo::suggest

#endif
