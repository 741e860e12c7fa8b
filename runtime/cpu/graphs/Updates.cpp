//===- Updates.cpp - Changes of graphs that can be launched ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of cudaGraphExecUpdate and of cudaGraphExec*SetParams. See
// Updates.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Updates.h"

#include <algorithm>

namespace echo::cpu {

/// Memory that a copy takes for the device's.
static bool onDevice(MemKind K) { return isDeviceOnly(K) || isManaged(K); }
static bool isFlat(const CopyShape &C) { return C.Height == 1 && C.Depth == 1; }

/// May the work of a node become \p New? The graph was instantiated for what
/// \p Old is.
static bool mayBecome(const NodeWork &Old, const NodeWork &New) {
  if (Old.index() != New.index())
    return false;
  if (auto *A = std::get_if<KernelWork>(&Old))
    return A->Shape.Cooperative == std::get<KernelWork>(New).Shape.Cooperative;
  if (auto *A = std::get_if<CopyWork>(&Old)) {
    const auto &B = std::get<CopyWork>(New);
    return isFlat(A->Shape) && isFlat(B.Shape) &&
           onDevice(A->Dst) == onDevice(B.Dst) &&
           onDevice(A->Src) == onDevice(B.Src);
  }
  if (auto *A = std::get_if<SetWork>(&Old)) {
    const cudaMemsetParams &X = A->Asked, &Y = std::get<SetWork>(New).Asked;
    return (X.height == 1 && Y.height == 1) ||
           (X.height == Y.height && X.width == Y.width &&
            X.elementSize == Y.elementSize && X.pitch == Y.pitch);
  }
  return true;
}

namespace {
/// Pairs of nodes of a graph and the one that it shall become.
using Pairs = std::vector<std::pair<GraphNode *, const GraphNode *>>;
using Info = cudaGraphExecUpdateResultInfo;
} // namespace

static Info problem(cudaGraphExecUpdateResult Result, const GraphNode *At,
                    const GraphNode *From = nullptr) {
  return {Result, handleOf(At), handleOf(From)};
}

static size_t countExits(const Graph &G) {
  return std::count_if(G.Nodes.begin(), G.Nodes.end(),
                       [](const auto &N) { return N->Users.empty(); });
}

static Info pairGraphs(Graph &Body, const Graph &From, Pairs &Out);

/// Compares two nodes; the nodes that they need are paired.
static Info pairNodes(GraphNode &Old, const GraphNode &New,
                      std::unordered_map<const GraphNode *, GraphNode *> &Of,
                      Pairs &Out) {
  if (typeOf(Old.Work) != typeOf(New.Work))
    return problem(cudaGraphExecUpdateErrorNodeTypeChanged, &New);
  if (Old.Needs.size() != New.Needs.size())
    return problem(cudaGraphExecUpdateErrorTopologyChanged, &New);
  for (const GraphNode *Before : New.Needs)
    if (std::find(Old.Needs.begin(), Old.Needs.end(), Of[Before]) ==
        Old.Needs.end())
      return problem(cudaGraphExecUpdateErrorTopologyChanged, &New, Before);
  if (std::holds_alternative<AllocWork>(Old.Work) ||
      std::holds_alternative<FreeWork>(Old.Work))
    return problem(cudaGraphExecUpdateErrorNotSupported, &New);
  auto *Child = std::get_if<ChildWork>(&Old.Work);
  if (Child)
    return pairGraphs(*Child->Body, *std::get<ChildWork>(New.Work).Body, Out);
  if (!mayBecome(Old.Work, New.Work))
    return problem(cudaGraphExecUpdateErrorParametersChanged, &New);
  Out.push_back({&Old, &New});
  return {};
}

/// The node of \p Old that stands for \p New, of those that nothing stands for
/// yet: one with the same needs, best of the same kind.
static GraphNode *
choose(const GraphNode &New, std::vector<GraphNode *> &Old,
       std::unordered_map<const GraphNode *, GraphNode *> &Of) {
  auto fits = [&](const GraphNode *N) {
    return N->Needs.size() == New.Needs.size() &&
           N->Users.size() == New.Users.size() &&
           std::all_of(New.Needs.begin(), New.Needs.end(),
                       [&](const GraphNode *Before) {
                         return std::find(N->Needs.begin(), N->Needs.end(),
                                          Of[Before]) != N->Needs.end();
                       });
  };
  auto It = std::find_if(Old.begin(), Old.end(), [&](const GraphNode *N) {
    return fits(N) && typeOf(N->Work) == typeOf(New.Work);
  });
  if (It == Old.end())
    It = std::find_if(Old.begin(), Old.end(), fits);
  if (It == Old.end())
    It = Old.begin();
  GraphNode *N = *It;
  Old.erase(It);
  return N;
}

static Info pairGraphs(Graph &Body, const Graph &From, Pairs &Out) {
  if (Body.Nodes.size() != From.Nodes.size())
    return problem(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  std::vector<GraphNode *> Old = inOrder(Body);
  const std::vector<GraphNode *> New = inOrder(From);
  if (New.size() != From.Nodes.size())
    return problem(cudaGraphExecUpdateErrorTopologyChanged, findCircle(From));
  std::unordered_map<const GraphNode *, GraphNode *> Of;
  for (const GraphNode *N : New) {
    GraphNode *Twin = Of[N] = choose(*N, Old, Of);
    Info I = pairNodes(*Twin, *N, Of, Out);
    if (I.result != cudaGraphExecUpdateSuccess)
      return I;
  }
  if (countExits(Body) == countExits(From))
    return {};
  auto Exit = std::find_if(New.begin(), New.end(),
                           [](const GraphNode *N) { return N->Users.empty(); });
  return problem(cudaGraphExecUpdateErrorTopologyChanged, *Exit);
}

cudaGraphExecUpdateResultInfo updateGraph(Graph &Body, const Graph &From) {
  Pairs All;
  Info I = pairGraphs(Body, From, All);
  if (I.result != cudaGraphExecUpdateSuccess)
    return I;
  for (auto &[Old, New] : All)
    Old->Work = cloneWork(New->Work, /*Private=*/true);
  return I;
}

cudaError_t updateNode(GraphNode *N, NodeWork Work) {
  if (!N || N->Work.index() != Work.index())
    return cudaErrorInvalidValue;
  if (auto *Child = std::get_if<ChildWork>(&N->Work)) {
    Info I = updateGraph(*Child->Body, *std::get<ChildWork>(Work).Body);
    return I.result == cudaGraphExecUpdateSuccess
               ? cudaSuccess
               : cudaErrorGraphExecUpdateFailure;
  }
  if (auto *Old = std::get_if<KernelWork>(&N->Work))
    std::get<KernelWork>(Work).Shape.Cooperative = Old->Shape.Cooperative;
  if (!mayBecome(N->Work, Work))
    return cudaErrorInvalidValue;
  N->Work = std::move(Work);
  return cudaSuccess;
}

} // namespace echo::cpu
