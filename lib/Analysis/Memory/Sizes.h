//===- Sizes.h - Are two byte counts the same? ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares sizes as expressions by LLVM's scalar evolution: equal constants,
// or the same expression over the same values. "No" means "not proved".
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_SIZES_H
#define ECHO_ANALYSIS_MEMORY_SIZES_H

#include "Analysis/Memory/MemoryObjects.h"
#include <optional>
#include <string>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace echo {

class Sizes {
public:
  explicit Sizes(llvm::ScalarEvolution &SE) : SE(SE) {}

  /// The size of \p O in bytes; null if its sites make several sizes.
  const llvm::SCEV *bytes(const MemoryObject &O) const;
  /// The product of \p Factors, in bytes, times \p Constant. Products that are
  /// equal because no factor of them overflows are one expression.
  const llvm::SCEV *product(llvm::ArrayRef<llvm::Value *> Factors,
                            uint64_t Constant = 1) const;
  /// The offset of \p Pointer from \p Base in bytes; null if it is not known.
  const llvm::SCEV *offset(llvm::Value *Pointer, llvm::Value *Base) const;
  /// True if the numbers \p A and \p B are proved equal.
  bool sameNumber(llvm::Value *A, llvm::Value *B) const;
  /// True if \p Bytes is 0 where the numbers or pointers \p A and \p B are
  /// equal.
  bool isZeroWhereEqual(llvm::Value *A, llvm::Value *B,
                        const llvm::SCEV *Bytes) const;
  /// True if \p Bytes is known, and the same in all iterations of \p L.
  bool isInvariant(const llvm::SCEV *Bytes, const llvm::Loop &L) const;
  /// True if both are known, and proved equal.
  static bool equal(const llvm::SCEV *A, const llvm::SCEV *B) {
    return A && A == B;
  }
  /// True if \p Bytes surely is not 0 where \p Other is not: all that varies in
  /// it is a factor of \p Other, too.
  static bool isNotZeroWith(const llvm::SCEV *Bytes, const llvm::SCEV *Other);
  /// The number of bytes, where it is a constant. \p S may be null.
  static std::optional<uint64_t> constant(const llvm::SCEV *S);

  /// The expression as LLVM prints it, for tests. \p S may be null.
  static std::string text(const llvm::SCEV *S);

private:
  const llvm::SCEV *number(llvm::Value *V) const;
  const llvm::SCEV *wide(llvm::Value *V, unsigned Depth = 0) const;
  const llvm::SCEV *difference(llvm::Value *A, llvm::Value *B) const;
  const llvm::SCEV *factorThatVaries(const llvm::SCEV *S,
                                     bool Equivalent) const;

  llvm::ScalarEvolution &SE;
  /// By the product of 64 bits: the expression that was seen first.
  mutable llvm::DenseMap<const llvm::SCEV *, const llvm::SCEV *> Same;
};

} // namespace echo

#endif
