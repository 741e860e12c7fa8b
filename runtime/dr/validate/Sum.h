//===- Sum.h - Sums of what buffers hold ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum differs, but for chance, where contents do. It is no defense against a
// program that looks for contents of equal sums.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_SUM_H
#define ECHO_RUNTIME_DR_VALIDATE_SUM_H

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

/// A sum that is made piece by piece.
class Sum {
public:
  /// \p Wide: by AVX2, only where hasWideSum().
  explicit Sum(bool Wide);
  Sum();
  /// Only the last piece may have a size that is no multiple of Step.
  static constexpr size_t Step = 128;
  void add(const void *Base, size_t Bytes);
  /// Of what was added up to now.
  uint64_t value() const;

private:
  void addNarrow(const char *At, size_t Bytes);
  void addWide(const char *At, size_t Bytes);
  alignas(32) uint64_t Sums[16];
  alignas(32) uint64_t Keys[16];
  const bool Wide;
};

/// The sum of \p Bytes at \p Base, the same each time in one process.
uint64_t sumOf(const void *Base, size_t Bytes);

/// What sumOf() is made of: the sum by instructions that every processor has,
/// and by AVX2. The two differ; the second may be called only where
/// hasWideSum().
uint64_t narrowSumOf(const void *Base, size_t Bytes);
uint64_t wideSumOf(const void *Base, size_t Bytes);
bool hasWideSum();

} // namespace echo::dr

#endif
