//===- Sizes.h - Are two byte counts the same? ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares sizes as expressions by LLVM's scalar evolution: equal constants,
// or the same expression over the same values. "No" means "not proved".
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_SIZES_H
#define ECHO_ANALYSIS_SIZES_H

#include "Analysis/MemoryObjects.h"
#include <optional>
#include <string>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace echo {

class Sizes {
public:
  explicit Sizes(llvm::ScalarEvolution &SE) : SE(SE) {}

  /// The size of \p O in bytes.
  const llvm::SCEV *bytes(const MemoryObject &O) const;
  /// The product of \p Factors, in bytes, times \p Constant.
  const llvm::SCEV *product(llvm::ArrayRef<llvm::Value *> Factors,
                            uint64_t Constant = 1) const;
  /// True if both are proved equal.
  static bool equal(const llvm::SCEV *A, const llvm::SCEV *B) { return A == B; }
  /// The number of bytes, where it is a constant.
  static std::optional<uint64_t> constant(const llvm::SCEV *S);

  /// The expression as LLVM prints it, for tests.
  static std::string text(const llvm::SCEV *S);

private:
  llvm::ScalarEvolution &SE;
};

} // namespace echo

#endif
