//===- DrPlan.h - A plan's words and checksum -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What echo-run and libecho-dr.so must agree on to the byte: the words of
// choices and waits, and where the checksum stands. A text that is torn or
// changed anywhere never passes. Needs the C library alone, allocates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_DRPLAN_H
#define ECHO_RUNTIME_ABI_DRPLAN_H

#include "runtime/abi/DrTrace.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace echo::drplan {

constexpr unsigned FormatVersion = 3;
/// No plan has more pairs, no pair more copy sites.
constexpr unsigned MostPairs = 256, MostCopies = 16;
/// One with more libraries makes no two buffers one.
constexpr unsigned MostModules = 2048;
/// More files or variables are not all compared, and a plan says so.
constexpr unsigned MostFiles = 8192, MostVariables = 2048;

/// More processes are not kept, nor are those of more variables altogether:
/// they run as written.
constexpr unsigned MostProcesses = 256, MostProcessVariables = 16384;

enum class Choice : uint8_t {
#define DR_CHOICE(Enum, word, text) Enum,
#include "runtime/abi/DrPlan.def"
};
inline const char *const ChoiceWords[] = {
#define DR_CHOICE(Enum, word, text) word,
#include "runtime/abi/DrPlan.def"
};

enum class Wait : uint8_t {
#define DR_WAIT(Enum, word, text) Enum,
#include "runtime/abi/DrPlan.def"
};
inline const char *const WaitWords[] = {
#define DR_WAIT(Enum, word, text) word,
#include "runtime/abi/DrPlan.def"
};

enum class Join : uint8_t {
#define DR_JOIN(Enum, word, text) Enum,
#include "runtime/abi/DrPlan.def"
};
inline const char *const JoinWords[] = {
#define DR_JOIN(Enum, word, text) word,
#include "runtime/abi/DrPlan.def"
};

/// The bit of a join: of the host's side, or of the device's.
inline uint8_t joinBit(bool OfDevice) {
  return static_cast<uint8_t>(
      1u << static_cast<unsigned>(OfDevice ? Join::Device : Join::Host));
}

/// The choices that make one buffer of two.
inline bool merges(Choice C) {
  return C == Choice::Mapped || C == Choice::Managed || C == Choice::System;
}

/// The choices that are right only where validation found the host not to use
/// its buffer while the GPU may.
inline bool restsOnValidation(Choice C) {
  return merges(C) || C == Choice::PinnedQueued;
}

/// Those of them that a run can watch: their pages can be closed to the host
/// alone, where the device leaves such pages alone.
inline bool watchedByPages(Choice C) {
  return C == Choice::Mapped || C == Choice::PinnedQueued;
}

/// The text between the checked bytes and the digits, and after them.
inline constexpr char ChecksumKey[] = "\"checksum\": \"";
inline constexpr char ChecksumEnd[] = "\"\n}\n";

/// Writes 16 digits, no terminator.
inline void hexDigits(uint64_t Value, char *Out) {
  for (int I = 15; I >= 0; --I, Value >>= 4)
    Out[I] = "0123456789abcdef"[Value & 15];
}

/// True if \p Text, \p Size bytes, ends with the checksum of what is before.
inline bool checksumHolds(const char *Text, size_t Size) {
  constexpr size_t Key = sizeof ChecksumKey - 1, End = sizeof ChecksumEnd - 1;
  constexpr size_t Tail = Key + 16 + End;
  if (Size < Tail)
    return false;
  const char *At = Text + (Size - Tail);
  char Digits[16];
  hexDigits(dr::fnv1a(Text, Size - Tail), Digits);
  return memcmp(At, ChecksumKey, Key) == 0 &&
         memcmp(At + Key, Digits, 16) == 0 &&
         memcmp(At + Key + 16, ChecksumEnd, End) == 0;
}

} // namespace echo::drplan

#endif
