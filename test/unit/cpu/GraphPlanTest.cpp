//===- GraphPlanTest.cpp - Steps and lanes of graphs ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes may order two steps only if the edges do: the step before in a lane is
// one that the next needs.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Exec.h"

#include <catch2/catch.hpp>
#include <random>

using namespace echo::cpu;

/// Edges go from earlier to later nodes; about one node in eight is a child.
static std::unique_ptr<Graph> randomGraph(std::mt19937 &Random, bool Children) {
  auto G = std::make_unique<Graph>(/*Private=*/true);
  const size_t Count = Random() % 20;
  for (size_t I = 0; I != Count; ++I) {
    std::vector<GraphNode *> Needs;
    for (auto &N : G->Nodes)
      if (Random() % 6 == 0)
        Needs.push_back(N.get());
    if (Children && Random() % 8 == 0)
      G->add(ChildWork{randomGraph(Random, false)}, Needs);
    else
      G->add(EmptyWork{}, Needs);
  }
  return G;
}

TEST_CASE("steps follow what they need, lanes order nothing else") {
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    INFO(Seed);
    std::mt19937 Random(Seed);
    auto G = randomGraph(Random, true);
    std::vector<Step> Steps = planSteps(*G);
    const size_t Lanes = assignLanes(Steps);
    std::vector<size_t> Before(Lanes, SIZE_MAX);
    std::vector<bool> Needed(Steps.size());
    bool Right = true;
    for (size_t I = 0; I != Steps.size(); ++I) {
      const Step &S = Steps[I];
      for (size_t N : S.Needs) {
        Right &= N < I;
        Needed[N] = true;
      }
      Right &= S.Lane < Lanes;
      // Under ThreadSanitizer there may be fewer lanes than the graph needs.
      size_t Last = std::exchange(Before[S.Lane], I);
      if (Last != SIZE_MAX && !underTsan())
        Right &= std::count(S.Needs.begin(), S.Needs.end(), Last) == 1;
    }
    for (size_t I = 0; I != Steps.size(); ++I)
      Right &= Steps[I].Last == !Needed[I];
    CHECK(Right);
    CHECK(inOrder(*G).size() == G->Nodes.size());
    CHECK(findCircle(*G) == nullptr);
  }
}

TEST_CASE("a chain is one lane, free nodes have one each") {
  Graph Chain(true), Free(true);
  GraphNode *Last = nullptr;
  for (int I = 0; I != 10; ++I) {
    Last = Chain.add(EmptyWork{},
                     Last ? std::vector{Last} : std::vector<GraphNode *>{});
    Free.add(EmptyWork{}, {});
  }
  std::vector<Step> InChain = planSteps(Chain), Apart = planSteps(Free);
  CHECK(assignLanes(InChain) == 1);
  CHECK(assignLanes(Apart) == 10);
}

TEST_CASE("a circle is found at every level") {
  auto Inner = std::make_unique<Graph>(true);
  GraphNode *A = Inner->add(EmptyWork{}, {}), *B = Inner->add(EmptyWork{}, {A});
  addEdge(B, A);
  CHECK(findCircle(*Inner) != nullptr);
  Graph Outer(true);
  GraphNode *Child = Outer.add(ChildWork{std::move(Inner)}, {});
  CHECK(findCircle(Outer) == Child);
}
