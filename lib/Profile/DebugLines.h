//===- DebugLines.h - Source places of code addresses -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says which lines of the source an address is of, by the file's debug
// information and binutils' addr2line. Where either is missing there is no
// place: a wrong one is worse than none.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_DEBUGLINES_H
#define ECHO_PROFILE_DEBUGLINES_H

#include <cstdint>
#include <string>
#include <vector>

namespace echo::drtool {

/// A line of the source.
struct SourcePlace {
  std::string File; ///< as the debug information names it, with its folder
  unsigned Line = 0;
  std::string Function; ///< without type and parameters; "" if not known
};

/// The places of each of \p Addresses in the file \p Path: where functions were
/// inlined the innermost one first, then the calls that led to it. They end
/// before the first one that is not known; of an address without debug lines
/// there are none.
std::vector<std::vector<SourcePlace>>
placesAt(const std::string &Path, const std::vector<uint64_t> &Addresses);

/// "app.cu:12", the innermost place of \p Places; "" of none.
std::string lineText(const std::vector<SourcePlace> &Places);

/// The same of \p Address in the file \p Path.
std::string lineAt(const std::string &Path, uint64_t Address);

/// What \p Text, which `addr2line -a -f -i` printed, says of \p Count
/// addresses.
std::vector<std::vector<SourcePlace>> readPlaces(const std::string &Text,
                                                 size_t Count);

} // namespace echo::drtool

#endif
