//===- Mutator.h - Damages valid files at random ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flips, deletes, repeats, moves and cuts bytes, and puts numbers at the edges
// of what they can be. The same seed damages the same file in the same way.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_DR_MUTATIONS_MUTATOR_H
#define ECHO_TEST_UNIT_DR_MUTATIONS_MUTATOR_H

#include <cstdint>
#include <random>
#include <string>

/// Whether numbers are digits, and lines are what can be moved, or words of a
/// fixed size in records of one size.
enum class Form : uint8_t { Text, Records };

class Mutator {
  std::mt19937_64 Random;
  std::string *File = nullptr;
  size_t Used = 0; ///< most changes are made before this offset

  uint64_t below(uint64_t Bound) { return Bound ? Random() % Bound : 0; }
  size_t place();
  size_t length(size_t From);
  void flip();
  void setByte();
  void erase();
  void repeat();
  void insert();
  void cut();
  void takeFrom(const std::string &Other);
  void edgeOfDigits();
  void edgeOfWord();
  void swapLines();
  void swapRecords();

public:
  explicit Mutator(uint64_t Seed) : Random(Seed) {}

  /// Makes one to eight changes to \p Bytes; \p Other is another valid file, of
  /// which parts may come in.
  void damage(std::string &Bytes, Form F, size_t UsedBytes,
              const std::string &Other);
  bool oneIn(uint64_t Count) { return below(Count) == 0; }
};

#endif
