//===- BackingRules.h - What ECHO_BACKING asks for --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads ECHO_BACKING: a backing for the whole program, and backings for single
// pairs, named by the place of one of their allocations. A value that is not
// understood is refused as a whole; nothing is guessed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_BACKINGRULES_H
#define ECHO_RUNTIME_RT_BACKINGRULES_H

#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

/// "KIND", "PLACE=KIND", or several of these with commas between. KIND is auto
/// or the name of a backing; PLACE is FILE, FILE:LINE or FILE:LINE:COLUMN.
struct BackingRules {
  static constexpr unsigned MaxPairs = 32;
  Wish Default;
  struct Rule {
    const char *Place;
    size_t Length;
    Wish W;
  } Pairs[MaxPairs];
  unsigned NumPairs = 0;
};

/// Reads \p Value, which must outlive \p Rules. Returns null, or the part that
/// was not understood.
const char *parseBackings(const char *Value, BackingRules &Rules);

/// What \p Rules ask for the pair named \p Group ("a.cu:12:20 h + a.cu:14:3 d",
/// may be null). The last rule that names one of its places wins.
Wish wishFor(const BackingRules &Rules, const char *Group);

/// What the environment asks for the pair named \p Group.
Wish wishFor(const char *Group);

} // namespace echo::rt

#endif
