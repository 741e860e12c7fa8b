//===- SumTest.cpp - Sums of what a buffer holds --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums must differ where contents do, and not depend on the pieces.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Sum.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string.h>
#include <vector>

using namespace echo::dr;

TEST_CASE("a sum of pieces is that of the whole") {
  std::vector<unsigned char> Room(5000);
  for (size_t I = 0; I != Room.size(); ++I)
    Room[I] = static_cast<unsigned char>(I * 37 >> 3);
  for (const bool Wide : {false, hasWideSum()}) {
    Sum Whole(Wide), Pieces(Wide);
    Whole.add(Room.data(), Room.size());
    Pieces.add(Room.data(), 1024);
    const uint64_t Before = Pieces.value();
    Pieces.add(Room.data() + 1024, 128);
    Pieces.add(Room.data() + 1152, Room.size() - 1152);
    CHECK(Pieces.value() == Whole.value());
    CHECK(Before != Whole.value());
  }
}

TEST_CASE("sums differ where contents do") {
  std::vector<unsigned char> Room(4096 + 100);
  for (size_t I = 0; I != Room.size(); ++I)
    Room[I] = static_cast<unsigned char>(I * 37 >> 3);
  for (const auto Sum : {narrowSumOf, hasWideSum() ? wideSumOf : narrowSumOf})
    for (const size_t Size : {size_t(0), size_t(1), size_t(127), size_t(128),
                              size_t(129), size_t(4096)}) {
      const uint64_t Was = Sum(Room.data() + 3, Size); // not aligned
      std::set<uint64_t> Seen = {Was};
      for (size_t I = 0; I != Size; ++I) {
        unsigned char &At = Room[3 + I];
        const unsigned char Kept = At;
        At ^= static_cast<unsigned char>(1u << I % 8);
        CHECK(Seen.insert(Sum(Room.data() + 3, Size)).second);
        At = Kept;
      }
      // Two words change places, or one grows by what another one loses.
      for (size_t I = 0; I + 264 < Size; I += 8) {
        for (const size_t Apart : {8, 128, 256}) {
          std::vector<unsigned char> Other = Room;
          std::swap_ranges(&Other[3 + I], &Other[3 + I + 8],
                           &Other[3 + I + Apart]);
          CHECK(Sum(Other.data() + 3, Size) != Was);
          Other = Room;
          uint64_t First, Second;
          memcpy(&First, &Other[3 + I], 8);
          memcpy(&Second, &Other[3 + I + Apart], 8);
          ++First;
          --Second;
          memcpy(&Other[3 + I], &First, 8);
          memcpy(&Other[3 + I + Apart], &Second, 8);
          CHECK(Sum(Other.data() + 3, Size) != Was);
        }
      }
      CHECK(Sum(Room.data() + 3, Size) == Was);
    }
}
