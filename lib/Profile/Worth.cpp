//===- Worth.cpp - What it would bring to mend a pair ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Worth.h. Copies of several threads may run at a time: all pairs together
// take no more of the loop than the part of it in which some copy runs.
//
//===----------------------------------------------------------------------===//
#include "Profile/Worth.h"

#include "Profile/Report.h"

#include <fmt/format.h>

#include <algorithm>

namespace echo::drtool {

Worth worthOf(const Analysis &A, const CopySite &S) {
  Worth W;
  if (!A.SteadyIterations || A.SteadyNs <= 0)
    return W;
  const double Iterations = double(A.SteadyIterations);
  W.Bytes = double(S.SteadyBytes) / Iterations;
  W.Ns = S.Ns / Iterations;
  W.Copies = double(S.Steady) / Iterations;
  W.Fraction = std::min(1.0, S.Ns / A.SteadyNs);
  return W;
}

Worth worthOf(const Analysis &A, const Pair &P) {
  CopySite All;
  for (const CopySite &S : P.Copies) {
    All.Steady += S.Steady;
    All.SteadyBytes += S.SteadyBytes;
    All.Ns += S.Ns;
  }
  return worthOf(A, All);
}

Worth worthOfAll(const Analysis &A) {
  Worth All;
  for (const Pair &P : A.Pairs) {
    const Worth W = worthOf(A, P);
    All.Bytes += W.Bytes;
    All.Ns += W.Ns;
    All.Copies += W.Copies;
    All.Fraction += W.Fraction;
  }
  All.Fraction = std::min(A.CopyFraction, All.Fraction);
  return All;
}

std::vector<size_t> mendFirst(const Analysis &A) {
  std::vector<size_t> Order;
  for (size_t I = 0; I < A.Pairs.size(); ++I)
    if (A.Pairs[I].open().size() < 2) // pinned-split at most
      Order.push_back(I);
  std::stable_sort(Order.begin(), Order.end(), [&](size_t L, size_t R) {
    return A.Pairs[L].steadyNs() > A.Pairs[R].steadyNs();
  });
  return Order;
}

std::string worthText(const Worth &W) {
  const std::optional<double> Bound = W.bound();
  return fmt::format("{} in {} an iteration; without them: {}",
                     bytesText(uint64_t(W.Bytes)), timeText(W.Ns),
                     Bound ? fmt::format("at most {:.2f} times as fast", *Bound)
                           : "no bound, they take all of it");
}

std::vector<std::string> mendTexts(const Analysis &A) {
  std::vector<std::string> Lines;
  for (size_t I : mendFirst(A)) {
    std::string Why;
    for (const std::string &Text : closedTexts(A.Pairs[I]))
      Why += "; " + Text;
    Lines.push_back(fmt::format("pair {}: {}{}", I + 1,
                                worthText(worthOf(A, A.Pairs[I])), Why));
  }
  return Lines;
}

std::string mendSummary(const Analysis &A) {
  const std::vector<std::string> Lines = mendTexts(A);
  std::string Out;
  if (!Lines.empty())
    Out = fmt::format("{}:\n", MendFirstWords);
  for (size_t I = 0; I < Lines.size(); ++I)
    Out += fmt::format("{:>3}. {}\n", I + 1, Lines[I]);
  return Out;
}

} // namespace echo::drtool
