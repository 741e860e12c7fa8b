//===- PlanKeys.h - Checks an object of a plan by the table -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares parsed JSON with runtime/abi/DrPlan.def: every key that must be
// there is, none that the table lacks, each of its type. After a check without
// complaint the keys can be read without asking again.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PLANKEYS_H
#define ECHO_PROFILE_PLANKEYS_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace echo::drtool {

/// Checks \p Value as the table's object \p Place. Empty if it is right, else
/// what is wrong, with the path of keys from \p Where on.
std::string checkPlanObject(const nlohmann::json &Value,
                            const std::string &Place, const std::string &Where);

/// Exactly 16 lower-case hexadecimal digits.
std::optional<uint64_t> readHex(const std::string &Text);

/// The position of \p Word in \p Words, an array of C strings.
template <typename Enum, size_t N>
std::optional<Enum> wordIn(const char *const (&Words)[N],
                           const std::string &Word) {
  for (size_t I = 0; I < N; ++I)
    if (Word == Words[I])
      return static_cast<Enum>(I);
  return std::nullopt;
}

} // namespace echo::drtool

#endif
