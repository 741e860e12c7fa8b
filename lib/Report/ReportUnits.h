//===- ReportUnits.h - Which units a shared report holds --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the units of a report to which several compilers write, from what each
// compiler was told and where it ran, and decides which of them are out of
// date. A unit must never be dropped because its file cannot be looked for.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_REPORTUNITS_H
#define ECHO_REPORT_REPORTUNITS_H

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <string>

namespace echo {

/// A unit of a report.
struct UnitName {
  std::string Source; ///< as the compiler was told
  /// What a relative Source is relative to; "": the report's own folder, or not
  /// known.
  std::string Folder;

  auto operator<=>(const UnitName &) const = default;
};

/// True if \p Report is a terminal, a pipe, or this process's output: it has no
/// earlier entries and no end.
bool isStream(llvm::StringRef Report);

/// The unit that is compiled here from \p Source, in report \p Report.
UnitName nameUnit(llvm::StringRef Source, llvm::StringRef Report);

/// "app.cu", "app.cu in /folder": a unit's name in a text report.
std::string toText(const UnitName &Unit);
UnitName unitFromText(llvm::StringRef Text);

/// True if the source of \p Unit in \p Report is a file that is gone. That
/// cannot be said of a program, which a link may be about to make, nor of a
/// relative name where the compiler does not run in the report's folder.
bool isGone(const UnitName &Unit, llvm::StringRef Report);

} // namespace echo

#endif
