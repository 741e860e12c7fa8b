//===- ByteCountTest.cpp - What a number of bytes may look like -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each spelling that options and variables take, and those beside them.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/ByteCount.h"

#include <catch2/catch.hpp>
#include <optional>

static std::optional<uint64_t> bytes(const char *Text) {
  uint64_t Bytes = 0;
  if (echo::readByteCount(Text, Bytes))
    return Bytes;
  return std::nullopt;
}

TEST_CASE("numbers of bytes with and without a unit") {
  CHECK(bytes("0") == 0u);
  CHECK(bytes("204800") == 204800u);
  CHECK(bytes("204800b") == 204800u);
  for (const char *Text : {"200K", "200k", "200KB", "200 KiB", "200kib"})
    CHECK(bytes(Text) == 204800u);
  CHECK(bytes("64MiB") == uint64_t(64) << 20);
  CHECK(bytes("1 g") == uint64_t(1) << 30);
  CHECK(bytes("2T") == uint64_t(2) << 40);
  CHECK(bytes("18446744073709551615") == UINT64_MAX);
}

TEST_CASE("what is no number of bytes") {
  for (const char *Text :
       {"", "K", " 1", "-1", "+1", "0x10", "1.5M", "1X", "1KM", "1iB", "1K ",
        "1KBB", "18446744073709551616", "16777216T"})
    CHECK(bytes(Text) == std::nullopt);
}
