//===- Checks.h - What words of the command line must be --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of option values for CLI11, with messages that say what was given and
// what may be.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_CHECKS_H
#define ECHO_TOOLS_ECHO_RUN_CHECKS_H

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace echo {

/// \p Text as a number; empty if it is none, or too large.
std::optional<uint64_t> parseNumber(const std::string &Text);

/// \p Text as a number of bytes: 4096, 64k, 64KiB, 1.5 is none. Units are
/// powers of 1024, in whatever case.
std::optional<uint64_t> parseBytes(const std::string &Text);

/// A number from \p From to \p To.
CLI::Validator numberIn(uint64_t From, uint64_t To);

/// A number of bytes, at least \p Least; becomes a plain number.
CLI::Validator bytesFrom(uint64_t Least);

/// What is wrong with the command line, for people.
std::string problemOf(const CLI::ParseError &Error);

} // namespace echo

#endif
