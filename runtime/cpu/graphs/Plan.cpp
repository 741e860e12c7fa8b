//===- Plan.cpp - The order of a graph's operations -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one list of the nodes of a graph and its children, and covers it with
// paths. See Exec.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Exec.h"

namespace echo::cpu {

/// Appends the steps of \p G. Those without needs follow \p Entry, if that is
/// a step; returns those that nothing in \p G needs.
static std::vector<size_t> append(const Graph &G, const size_t *Entry,
                                  std::vector<Step> &Out) {
  std::unordered_map<const GraphNode *, size_t> Ends;
  std::vector<size_t> Leaves;
  for (GraphNode *N : inOrder(G)) {
    std::vector<size_t> Needs;
    for (const GraphNode *Before : N->Needs)
      Needs.push_back(Ends[Before]);
    if (Needs.empty() && Entry)
      Needs.push_back(*Entry);
    auto *Child = std::get_if<ChildWork>(&N->Work);
    Out.push_back({Child ? nullptr : N, std::move(Needs)});
    size_t At = Out.size() - 1;
    if (Child) {
      std::vector<size_t> Inner = append(*Child->Body, &At, Out);
      Out.push_back({nullptr, Inner.empty() ? std::vector{At} : Inner});
      At = Out.size() - 1;
    }
    Ends[N] = At;
    if (N->Users.empty())
      Leaves.push_back(At);
  }
  return Leaves;
}

std::vector<Step> planSteps(const Graph &G) {
  std::vector<Step> Steps;
  append(G, nullptr, Steps);
  for (const Step &S : Steps)
    for (size_t Before : S.Needs)
      Steps[Before].Last = false;
  return Steps;
}

size_t assignLanes(std::vector<Step> &Steps) {
  // Under ThreadSanitizer a lane has threads. With fewer lanes it may miss a
  // race, and invents none: all lanes keep to the order of the steps.
  const size_t Most = underTsan() ? 32 : SIZE_MAX;
  std::vector<bool> Followed(Steps.size());
  size_t Lanes = 0;
  for (size_t I = 0; I != Steps.size(); ++I) {
    Step &S = Steps[I];
    auto Free = S.Needs.begin();
    while (Free != S.Needs.end() && Followed[*Free])
      ++Free;
    if (Free != S.Needs.end()) {
      Followed[*Free] = true;
      S.Lane = Steps[*Free].Lane;
    } else {
      S.Lane = Lanes < Most ? Lanes++ : I % Most;
    }
  }
  return Lanes;
}

} // namespace echo::cpu
