//===- OutputPattern.h - What runs of a program agree on --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether an output is one that the program writes, from outputs of its
// plain runs, token by token. What all of them agree on must be there, in its
// place; a token that differs between them may be any one; where they have
// different numbers of tokens or lines, any number may stand. Nothing else is
// left out but blank lines and what stands at a line's end: a token that agreed
// is never taken for noise, nor are the blanks before it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_OUTPUTPATTERN_H
#define ECHO_PROFILE_OUTPUTPATTERN_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echo::drtool {

class OutputPattern {
public:
  struct Item {
    enum Kind { Fixed, AnyOne, AnyNumber } What = Fixed;
    std::string Text; ///< of Fixed
    /// Of Fixed, the blanks before it; none: they, too, differ. What stands
    /// after a token that differs may be moved by it.
    std::optional<std::string> Blanks;
    bool operator==(const Item &) const = default;
  };
  using Line = std::vector<Item>;

  /// What one plain run wrote: everything is fixed. \p Sorted: lines may come
  /// in any order, as those of several processes do.
  OutputPattern(std::string_view Text, bool Sorted);

  /// Another plain run: what it does not agree on is left out from here on.
  void merge(std::string_view Text);

  /// Where \p Text differs, for people; empty if it fits.
  std::string differs(std::string_view Text) const;

  /// Tokens that are compared, but for punctuation, and that are not. Blank
  /// output has none.
  size_t fixedTokens() const;
  size_t openTokens() const;

  /// True if what a run computed may show in what is compared: a number, the
  /// word of a check ("PASSED"), or bytes that are no text. Where plain runs
  /// differ, the words beside that are labels.
  bool tells() const;

private:
  /// A line, or, if it is not there, any number of lines.
  std::vector<std::optional<Line>> Lines;
  bool Sorted;
};

} // namespace echo::drtool

#endif
