//===- Search.h - Which proposals let pairs merge ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps of a unit's proposals those with which the unit, compiled again, has
// the pair merged and has lost no other one. Kept changes add up: each is tried
// with all that were kept before it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_SEARCH_H
#define ECHO_CC_SUGGEST_SEARCH_H

#include "Trial.h"
#include "clang/Tooling/Core/Replacement.h"

namespace echo::suggest {

/// What was found for one unit.
struct Found {
  std::string File;                     ///< main file, as clang names it
  std::string Text;                     ///< its text
  UnitState Start;                      ///< the unit as it is
  clang::tooling::Replacements Changes; ///< all that is kept
  std::map<unsigned, Proposal> OfPair;  ///< by the number of the pair or copy
  unsigned Pairs = 0;                   ///< copies have the numbers from here
  unsigned Declined = 0;                ///< pairs, before
};

/// Tries the proposals of the unit that \p T compiles. Fails if the unit as it
/// is does not compile, or its file cannot be read.
llvm::Expected<Found> search(Trial &T);

} // namespace echo::suggest

#endif
