//===- Mutator.cpp - Damages valid files at random ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Mutator.h.
//
//===----------------------------------------------------------------------===//
#include "Mutator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <vector>

static constexpr size_t RecordBytes = 64;

size_t Mutator::place() {
  const size_t Bound = std::min(Used, File->size());
  return below(Bound && !oneIn(16) ? Bound : File->size());
}

/// Mostly a few bytes, now and then many.
size_t Mutator::length(size_t From) {
  const uint64_t Most = oneIn(8) ? 4096 : 32;
  return std::min<size_t>(1 + below(Most), File->size() - From);
}

void Mutator::flip() {
  char &At = (*File)[place()];
  At = static_cast<char>(At ^ (1 << below(8)));
}

void Mutator::setByte() {
  static constexpr unsigned char Edges[] = {0,   1,   '"', '\\', '{',  '}',
                                            '[', ']', ',', 0x7f, 0x80, 0xff};
  (*File)[place()] = oneIn(2)
                         ? static_cast<char>(Random())
                         : static_cast<char>(Edges[below(std::size(Edges))]);
}

void Mutator::erase() {
  const size_t At = place();
  File->erase(At, length(At));
}

void Mutator::repeat() {
  const size_t From = place();
  const std::string Part = File->substr(From, length(From));
  const uint64_t Times = oneIn(8) ? 1 + below(200) : 1;
  const size_t At = place();
  for (uint64_t I = 0; I != Times; ++I)
    File->insert(At, Part);
}

void Mutator::insert() {
  std::string Part;
  for (uint64_t Left = 1 + below(16); Left; --Left)
    Part += static_cast<char>(Random());
  File->insert(place(), Part);
}

void Mutator::cut() { File->resize(place()); }

void Mutator::takeFrom(const std::string &Other) {
  const size_t From = below(Other.size());
  const std::string Part = Other.substr(From, 1 + below(256));
  const size_t At = place();
  if (oneIn(2))
    File->insert(At, Part);
  else
    File->replace(At, std::min(Part.size(), File->size() - At), Part);
}

void Mutator::edgeOfDigits() {
  static const char *const Edges[] = {"0",
                                      "1",
                                      "-1",
                                      "255",
                                      "256",
                                      "4294967296",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "99999999999999999999999999",
                                      "1e308",
                                      "1e999",
                                      "0.5",
                                      "00",
                                      "",
                                      "ffffffffffffffff",
                                      "null",
                                      "true",
                                      "[]",
                                      "{}",
                                      "\"\""};
  const auto IsDigit = [](char C) {
    return std::isxdigit(static_cast<unsigned char>(C)) != 0;
  };
  const size_t Start = place();
  const auto At = std::find_if(File->begin() + static_cast<ptrdiff_t>(Start),
                               File->end(), IsDigit);
  const auto End = std::find_if_not(At, File->end(), IsDigit);
  File->replace(At, End, Edges[below(std::size(Edges))]);
}

void Mutator::edgeOfWord() {
  static constexpr uint64_t Edges[] = {0,
                                       1,
                                       2,
                                       15,
                                       16,
                                       17,
                                       63,
                                       64,
                                       UINT64_C(0xff),
                                       UINT64_C(0xffff),
                                       UINT64_C(0x7fffffff),
                                       UINT64_C(0xffffffff),
                                       UINT64_C(1) << 32,
                                       UINT64_C(1) << 62,
                                       INT64_MAX,
                                       UINT64_C(1) << 63,
                                       UINT64_MAX - 1,
                                       UINT64_MAX};
  const size_t Size = size_t(1) << below(4);
  const size_t At = place() / Size * Size;
  uint64_t Value = Edges[below(std::size(Edges))];
  if (At + Size > File->size())
    return;
  if (oneIn(4)) { // near what it was
    memcpy(&Value, File->data() + At, Size);
    Value += below(5) - 2;
  }
  memcpy(File->data() + At, &Value, Size);
}

void Mutator::swapLines() {
  std::vector<size_t> Starts = {0};
  for (size_t At = 0; (At = File->find('\n', At)) != std::string::npos;)
    Starts.push_back(++At);
  if (Starts.size() < 4)
    return;
  size_t A = below(Starts.size() - 2), B = below(Starts.size() - 2);
  if (A > B)
    std::swap(A, B);
  if (A == B)
    return;
  const std::string First = File->substr(Starts[A], Starts[A + 1] - Starts[A]);
  const std::string Second = File->substr(Starts[B], Starts[B + 1] - Starts[B]);
  File->replace(Starts[B], Second.size(), First);
  File->replace(Starts[A], First.size(), Second);
}

void Mutator::swapRecords() {
  const size_t A = place() / RecordBytes * RecordBytes;
  const size_t B = place() / RecordBytes * RecordBytes;
  if (std::max(A, B) + RecordBytes > File->size() || A == B)
    return;
  std::swap_ranges(File->data() + A, File->data() + A + RecordBytes,
                   File->data() + B);
}

void Mutator::damage(std::string &Bytes, Form F, size_t UsedBytes,
                     const std::string &Other) {
  File = &Bytes;
  Used = UsedBytes;
  const bool Text = F == Form::Text;
  const uint64_t Most = oneIn(4) ? 8 : 2;
  for (uint64_t Left = 1 + below(Most); Left && !Bytes.empty(); --Left)
    switch (below(16)) {
    case 0:
    case 1:
      flip();
      break;
    case 2:
      setByte();
      break;
    case 3:
      erase();
      break;
    case 4:
      repeat();
      break;
    case 5:
      insert();
      break;
    case 6:
      if (oneIn(4))
        cut();
      break;
    case 7:
      takeFrom(Other);
      break;
    case 8:
    case 9:
    case 10:
      Text ? swapLines() : swapRecords();
      break;
    default:
      Text ? edgeOfDigits() : edgeOfWord();
      break;
    }
}
