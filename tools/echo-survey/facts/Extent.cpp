//===- Extent.cpp - A number of bytes as a product ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and replacements of extents. A parameter inside a sum is replaced in
// the sum's text.
//
//===----------------------------------------------------------------------===//
#include "facts/Extent.h"

#include <algorithm>
#include <regex>

namespace echo::survey {

bool Extent::equals(const Extent &Other) const {
  return Known && Other.Known && Constant == Other.Constant &&
         Factors == Other.Factors;
}

bool Extent::isPartOf(const Extent &Other) const {
  // A number and a variable cannot be compared.
  if (!Known || !Other.Known || equals(Other) ||
      Factors.empty() != Other.Factors.empty())
    return false;
  const auto Includes = [](const Extent &A, const Extent &B) {
    return std::includes(A.Factors.begin(), A.Factors.end(), B.Factors.begin(),
                         B.Factors.end());
  };
  return Includes(*this, Other) || Includes(Other, *this);
}

Extent Extent::times(const Extent &Other) const {
  Extent Result;
  if (!Known || !Other.Known ||
      __builtin_mul_overflow(Constant, Other.Constant, &Result.Constant))
    return unknown();
  Result.Known = true;
  std::merge(Factors.begin(), Factors.end(), Other.Factors.begin(),
             Other.Factors.end(), std::back_inserter(Result.Factors));
  return Result;
}

/// \p Text with each parameter of \p Arguments replaced.
static std::string
replacedText(std::string Text, const std::map<std::string, Extent> &Arguments) {
  for (const auto &[Key, Value] : Arguments) {
    const std::string Name = Extent::parameter(Key);
    for (size_t At = 0; (At = Text.find(Name, At)) != std::string::npos;) {
      const std::string By = Value.text();
      Text.replace(At, Name.size(), By);
      At += By.size();
    }
  }
  return Text;
}

Extent Extent::replaced(const std::map<std::string, Extent> &Arguments) const {
  if (!Known)
    return unknown();
  Extent Result = constant(Constant);
  for (const std::string &Factor : Factors) {
    auto It = Factor.size() < 2
                  ? Arguments.end()
                  : Arguments.find(Factor.substr(1, Factor.size() - 2));
    const bool Whole = It != Arguments.end() && Factor[0] == '{';
    Result = Result.times(Whole ? It->second
                                : factor(replacedText(Factor, Arguments)));
  }
  return Result;
}

std::string Extent::text() const {
  if (!Known)
    return "?";
  std::string Text;
  if (Constant != 1 || Factors.empty())
    Text = std::to_string(Constant);
  for (const std::string &Factor : Factors)
    Text += (Text.empty() ? "" : "*") + Factor;
  return Text;
}

std::string Extent::shortText() const {
  static const std::regex Declared("[^*()+ {}]*:[0-9]+:[0-9]+:");
  static const std::regex Parameter(
      "\\{([^{}(]*)\\([0-9]+\\)[^{}#]*#([0-9]+)\\}");
  const std::string Text = std::regex_replace(text(), Declared, "");
  return std::regex_replace(Text, Parameter, "$1#$2");
}

} // namespace echo::survey
