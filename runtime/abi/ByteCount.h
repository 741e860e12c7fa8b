//===- ByteCount.h - Numbers of bytes in options and variables --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how many bytes a user's text means, so that one text means the same
// to every part of Echo: 204800, 200K, 64MiB, "1 g". A kilobyte is 1024 bytes.
// It needs nothing of any library, allocates nothing and never fails but by
// saying that the text is no such number.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_BYTECOUNT_H
#define ECHO_RUNTIME_ABI_BYTECOUNT_H

#include <stdint.h>

namespace echo {

/// True if \p Text is a number, then blanks, then nothing or one of K, M, G and
/// T, each alone, with B or with iB (or B itself), in any case; \p Bytes is
/// what it means. False otherwise, and where that is more than 64 bits hold.
inline bool readByteCount(const char *Text, uint64_t &Bytes) {
  uint64_t Number = 0;
  const char *At = Text;
  for (; *At >= '0' && *At <= '9'; ++At)
    if (__builtin_mul_overflow(Number, uint64_t(10), &Number) ||
        __builtin_add_overflow(Number, uint64_t(*At - '0'), &Number))
      return false;
  if (At == Text)
    return false;
  while (*At == ' ')
    ++At;
  const auto Takes = [&At](char Lower) {
    const bool Is = *At == Lower || *At == Lower - 'a' + 'A';
    At += Is;
    return Is;
  };
  unsigned Shift = 0;
  for (unsigned Power = 1; Power <= 4 && !Shift; ++Power)
    if (Takes("kmgt"[Power - 1]))
      Shift = 10 * Power;
  if (Shift)
    Takes('i');
  Takes('b');
  if (*At || Number > (UINT64_MAX >> Shift))
    return false;
  Bytes = Number << Shift;
  return true;
}

} // namespace echo

#endif // ECHO_RUNTIME_ABI_BYTECOUNT_H
