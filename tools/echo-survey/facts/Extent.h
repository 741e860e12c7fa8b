//===- Extent.h - A number of bytes as a product ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of an allocation or copy, as a constant times factors in sorted
// order. Two extents are equal if these are; an extent that is not known equals
// none. Parameters of functions are factors that a call's arguments replace. An
// extent is text of the source in order, and never a claim about a run.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_EXTENT_H
#define ECHO_TOOLS_ECHOSURVEY_EXTENT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace echo::survey {

struct Extent {
  bool Known = false;
  int64_t Constant = 1;
  std::vector<std::string> Factors; ///< sorted

  static Extent unknown() { return {}; }
  static Extent constant(int64_t Value) { return {true, Value, {}}; }
  static Extent factor(std::string Text) {
    return {true, 1, {std::move(Text)}};
  }
  /// The factor that stands for parameter \p Key.
  static std::string parameter(const std::string &Key) {
    return "{" + Key + "}";
  }

  bool isConstant() const { return Known && Factors.empty(); }
  /// True if both are known and the same.
  bool equals(const Extent &Other) const;
  /// True if both are known and differ in a factor that only one has, so that
  /// one is a part of the other.
  bool isPartOf(const Extent &Other) const;
  /// The product; unknown if one is.
  Extent times(const Extent &Other) const;
  /// This one with the parameters of \p Arguments, by key, replaced.
  Extent replaced(const std::map<std::string, Extent> &Arguments) const;
  /// With keys as they are: "4*a.cu:3:7:n", or "?".
  std::string text() const;
  /// For people: "4*n"; "f#0" is the first parameter of f.
  std::string shortText() const;
};

} // namespace echo::survey

#endif
