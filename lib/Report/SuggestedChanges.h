//===- SuggestedChanges.h - What --suggest found, for the report *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file by which the driver gives a host job the changes that it tried. The
// job only puts them into its report: they decide nothing, and the code that
// is made is the same with and without them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_SUGGESTEDCHANGES_H
#define ECHO_REPORT_SUGGESTEDCHANGES_H

#include "Support/Verdict.h"
#include "llvm/Support/Error.h"
#include <map>

namespace echo {

/// By the number of a pair in its unit's report; the numbers of copies that
/// stay follow.
struct SuggestedChanges {
  std::map<unsigned, SuggestedChange> Changes;
  std::map<unsigned, std::string> Advice; ///< in place of the report's own
};

/// The text of the file that addSuggestedChanges() reads.
std::string toText(const SuggestedChanges &Changes);

/// Where a copy's reason to stay begins to say what may be elsewhere.
inline constexpr char IfElsewhere[] = "; if another file";

/// Adds to the pairs and copies of \p Unit what \p File holds; "": nothing.
/// Fails if the file cannot be read, or names a pair or copy that \p Unit does
/// not have.
llvm::Error addSuggestedChanges(llvm::StringRef File, UnitReport &Unit);

} // namespace echo

#endif
