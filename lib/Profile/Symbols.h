//===- Symbols.h - Names for code addresses ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads function names from the symbol tables of the files that a trace names,
// and source places from their debug information (DebugLines.h).
// A file that is gone, or is no longer the one that was traced, gives no names;
// a wrong name is worse than none.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_SYMBOLS_H
#define ECHO_PROFILE_SYMBOLS_H

#include "Profile/DebugLines.h"
#include "Profile/Trace.h"

#include <memory>

namespace echo::drtool {

/// The functions of one file, by address.
class SymbolTable {
  std::map<uint64_t, std::pair<uint64_t, std::string>> Functions;
  bool Lines = false;

public:
  /// Reads \p Path; empty if it is no ELF file that can be read.
  explicit SymbolTable(const std::string &Path);
  /// The function around \p Address, demangled; "" if it is not known.
  std::string nameAt(uint64_t Address) const;
  /// Whether the file has debug lines, or names a file that has them.
  bool hasLines() const { return Lines; }
};

/// \p Mangled as C++ writes it; itself if it is no mangled name.
std::string demangled(const std::string &Mangled);

/// The name of a function without its type and parameters.
std::string shortName(const std::string &Name);

/// Tables of the files of traces, each read once, when it is first asked for.
class Symbols {
  struct File {
    SymbolTable Table;
    std::string Path; ///< empty: it is not the one that was traced
    /// Of addresses that were asked for.
    std::map<uint64_t, std::vector<SourcePlace>> Places;
  };
  std::map<uint64_t, std::unique_ptr<File>> Files;

  File &file(const Trace &T, uint64_t Module);
  void findPlaces(const Trace &T, uint64_t Site, size_t From, size_t Until);

public:
  /// The name of a kernel, demangled; "" if it is not known.
  std::string kernel(const Trace &T, uint64_t Function);
  /// "app+0x12 (main, app.cu:7)" of a frame; "" if \p T has no such frame.
  std::string frame(const Trace &T, uint64_t Site, size_t Index);
  /// The frames of a site, innermost first, at most \p Most; at least one text.
  std::vector<std::string> frames(const Trace &T, uint64_t Site, size_t Most);
  /// The source places of all frames of a site, innermost first, with those of
  /// functions that were inlined; up to the first frame without debug lines.
  std::vector<SourcePlace> places(const Trace &T, uint64_t Site);
  /// When the file of a site's innermost frame was written, in nanoseconds
  /// since 1970; 0 if it is not known.
  int64_t writtenAt(const Trace &T, uint64_t Site);
};

} // namespace echo::drtool

#endif
