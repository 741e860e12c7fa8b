//===- CopyRates.h - What a copy of some bytes takes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how long a copy between pageable memory and a device takes, from
// copies of a small and of a large size that were measured there
// (runtime/abi/CopyTime.h). It has no rates of its own: without measured ones
// there is no time.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_COPYRATES_H
#define ECHO_REPORT_COPYRATES_H

#include "runtime/abi/CopyTime.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace echo {

class CopyRates {
public:
  /// Nanoseconds that a copy of \p Bytes takes: on the line through the small
  /// and the large copy, and no less than the small one took.
  double ns(bool ToDevice, uint64_t Bytes) const;

private:
  friend llvm::Expected<CopyRates> parseCopyRates(llvm::StringRef Text,
                                                  llvm::StringRef File);
  struct Line {
    CopyTime Small, Large;
  };
  Line Up, Down; ///< host to device, device to host
};

/// The rates in \p Text, the contents of \p File: the smallest and the largest
/// copy of each direction; of copies of one size the last. Lines that speak of
/// no copy are not looked at. Fails for a line that is malformed, and where a
/// direction has not two sizes, or the larger takes no longer; the error names
/// \p File, the line, and how to measure.
llvm::Expected<CopyRates> parseCopyRates(llvm::StringRef Text,
                                         llvm::StringRef File);

/// The rates in \p File; fails, too, if it cannot be read.
llvm::Expected<CopyRates> readCopyRates(llvm::StringRef File);

} // namespace echo

#endif
