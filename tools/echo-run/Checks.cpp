//===- Checks.cpp - What words of the command line must be ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Checks.h.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "runtime/abi/ByteCount.h"

#include <fmt/format.h>

#include <cctype>

namespace echo {

static constexpr uint64_t MostBytes = uint64_t(1) << 46; // 64 TiB

std::optional<uint64_t> parseNumber(const std::string &Text) {
  uint64_t Value = 0;
  for (char C : Text) {
    if (!isdigit(static_cast<unsigned char>(C)) || Value > MostBytes)
      return std::nullopt;
    Value = Value * 10 + uint64_t(C - '0');
  }
  return Text.empty() ? std::nullopt : std::optional(Value);
}

std::optional<uint64_t> parseBytes(const std::string &Text) {
  uint64_t Bytes = 0;
  if (!readByteCount(Text.c_str(), Bytes) || Bytes > MostBytes)
    return std::nullopt;
  return Bytes;
}

CLI::Validator numberIn(uint64_t From, uint64_t To) {
  return CLI::Validator(
      [=](std::string &Text) {
        const std::optional<uint64_t> N = parseNumber(Text);
        return N && *N >= From && *N <= To
                   ? std::string()
                   : fmt::format("'{}' is no number from {} to {}", Text, From,
                                 To);
      },
      fmt::format("{}..{}", From, To));
}

CLI::Validator bytesFrom(uint64_t Least) {
  return CLI::Validator(
      [=](std::string &Text) {
        const std::optional<uint64_t> N = parseBytes(Text);
        if (!N || *N < Least)
          return fmt::format("'{}' is no number of bytes, such as 64MiB, of at "
                             "least {} and at most 64TiB",
                             Text, Least);
        Text = std::to_string(*N);
        return std::string();
      },
      "BYTES");
}

std::string problemOf(const CLI::ParseError &Error) {
  std::string Text = Error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&Error))
    return Text.substr(0, Text.find(':')) + " needs a value";
  if (dynamic_cast<const CLI::ExtrasError *>(&Error))
    return "not expected here: " + Text.substr(Text.find(": ") + 2);
  if (dynamic_cast<const CLI::RequiredError *>(&Error))
    return Text.find("subcommand") != std::string::npos
               ? "a command is missing"
               : Text.substr(0, Text.find(' ')) + " is not given";
  return Text;
}

} // namespace echo
