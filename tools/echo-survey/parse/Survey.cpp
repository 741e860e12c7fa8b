//===- Survey.cpp - Numbers over all projects -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds up what projects have. The classes of prevalence are the paper's: of the
// projects that copy between host and device, those that hold a candidate pair,
// those that share no memory (copy only), and those that do both (mixed).
//
//===----------------------------------------------------------------------===//
#include "parse/Survey.h"

namespace echo::survey {

static void addPair(const Pair &P, Totals &T) {
  ++T.Pairs[size_t(P.kind())];
  if (P.kind() != PairClass::Candidate)
    return;
  ++T.Coverage[size_t(P.Covers)];
  ++T.HostMemory[P.HostMemory];
  ++T.DeviceMemory[P.DeviceMemory];
  T.H2D += P.H2D && !P.D2H;
  T.D2H += P.D2H && !P.H2D;
  T.Both += P.H2D && P.D2H;
  T.Async += P.Async;
  T.InLoop += P.InLoop;
  T.PassedIn += P.PassedIn;
}

Totals totalsOf(const SurveyResult &Result) {
  Totals T;
  T.Projects = unsigned(Result.Projects.size());
  for (const Project &P : Result.Projects) {
    for (const auto &[Id, Count] : P.Idioms)
      T.Idioms[Id] += Count;
    for (const Pair &Each : P.Pairs)
      addPair(Each, T);
    const bool Copies = P.copiesExplicitly(), Shares = P.sharesMemory();
    bool Uses = false;
    for (const auto &[Id, Count] : P.Idioms) {
      const Group G = infoOf(Id).In;
      Uses |= Count && G != Group::Heap && G != Group::Container;
    }
    T.WithCuda += Uses;
    T.Explicit += Copies;
    T.Candidate += P.pairs(PairClass::Candidate) > 0;
    T.CopyOnly += Copies && !Shares;
    T.Mixed += Copies && Shares;
    T.SharedOnly += !Copies && Shares;
    T.Copies += P.countOf(Idiom::CopyH2D) + P.countOf(Idiom::CopyD2H);
    T.LinkedCopies += P.LinkedCopies;
    for (const std::string &Header : P.MissingHeaders)
      ++T.MissingHeaders[Header];
  }
  return T;
}

} // namespace echo::survey
