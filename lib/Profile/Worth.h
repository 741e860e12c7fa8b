//===- Worth.h - What it would bring to mend a pair -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what an iteration of the steady loop spends on the copies of a pair, and
// by Amdahl's law how much faster the loop would be without them, whether or
// not anything is open to the pair. All of it is measured: the bytes and times
// of the copies in the steady loops of all processes of the program. It must
// never count a copy outside these loops.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_WORTH_H
#define ECHO_PROFILE_WORTH_H

#include "Profile/Analysis.h"

namespace echo::drtool {

struct Worth {
  double Bytes = 0;    ///< that the copies move in an iteration
  double Ns = 0;       ///< that they take in it, without waits for work
  double Fraction = 0; ///< of the loop's time, 0 to 1
  double Copies = 0;   ///< that run in an iteration
  /// The loop is at most so many times as fast without them; nothing where
  /// they take all of its time, which bounds nothing.
  std::optional<double> bound() const {
    return Fraction < 1 ? std::optional(1 / (1 - Fraction)) : std::nullopt;
  }
};

/// Of \p P, a pair of \p A.
Worth worthOf(const Analysis &A, const Pair &P);
/// Of the copies of call site \p S, of a pair of \p A.
Worth worthOf(const Analysis &A, const CopySite &S);
/// Of all pairs of \p A together.
Worth worthOfAll(const Analysis &A);

/// The pairs of \p A that cannot become one buffer, by number from 0: those
/// whose copies take the most time first.
std::vector<size_t> mendFirst(const Analysis &A);

/// "4 MiB in 1.234 ms an iteration; without them: at most 1.25 times as fast".
std::string worthText(const Worth &W);
/// What pairs that stay two buffers wait for, in that order, a line each:
/// "pair 2: 4 MiB in ...: the device buffer is ..."; without line ends.
std::vector<std::string> mendTexts(const Analysis &A);
/// These lines, numbered, below a heading; or "".
std::string mendSummary(const Analysis &A);

} // namespace echo::drtool

#endif
