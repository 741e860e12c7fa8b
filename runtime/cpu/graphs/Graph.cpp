//===- Graph.cpp - Graphs: nodes and dependencies -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps graphs and their nodes. See Graph.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Graph.h"
#include "runtime/cpu/Device.h"

#include <algorithm>
#include <unordered_set>

namespace echo::cpu {

static std::mutex &lockOfGraphs() {
  static auto *M = new std::mutex; // threads outlive destructors
  return *M;
}
GraphLock::GraphLock() : Guard(lockOfGraphs()) {}

namespace {
/// What handles of the program may name.
struct Handles {
  std::unordered_set<const Graph *> Graphs;
  std::unordered_set<const GraphNode *> Nodes;
  std::unordered_map<const Graph *, std::unique_ptr<Graph>> Owned;
};
} // namespace
static Handles &handles() {
  static auto *H = new Handles;
  return *H;
}

Graph::Graph(bool Private) : Private(Private) {
  if (!Private)
    handles().Graphs.insert(this);
}

Graph::~Graph() {
  if (Private)
    return;
  handles().Graphs.erase(this);
  for (auto &N : Nodes)
    handles().Nodes.erase(N.get());
}

GraphNode *Graph::add(NodeWork Work, const std::vector<GraphNode *> &Needs) {
  static uint64_t NextId = 1;
  Nodes.push_back(std::make_unique<GraphNode>());
  GraphNode *N = Nodes.back().get();
  N->In = this;
  N->Id = NextId++;
  N->Work = std::move(Work);
  N->Caller = ApiCaller;
  for (GraphNode *Before : Needs)
    addEdge(Before, N);
  if (!Private)
    handles().Nodes.insert(N);
  return N;
}

void Graph::remove(GraphNode *N) {
  while (!N->Needs.empty())
    removeEdge(N->Needs.back(), N);
  while (!N->Users.empty())
    removeEdge(N, N->Users.back());
  handles().Nodes.erase(N);
  std::erase_if(Nodes, [N](const auto &Held) { return Held.get() == N; });
}

cudaGraph_t publish(std::unique_ptr<Graph> G) {
  G->Top = true;
  cudaGraph_t Handle = handleOf(G.get());
  const Graph *Key = G.get();
  handles().Owned[Key] = std::move(G);
  return Handle;
}

std::unique_ptr<Graph> withdraw(cudaGraph_t Handle) {
  auto It = handles().Owned.find(reinterpret_cast<Graph *>(Handle));
  if (It == handles().Owned.end() || It->second->Captures)
    return nullptr;
  std::unique_ptr<Graph> G = std::move(It->second);
  handles().Owned.erase(It);
  return G;
}

Graph *findGraph(cudaGraph_t Handle) {
  auto *G = reinterpret_cast<Graph *>(Handle);
  return handles().Graphs.count(G) ? G : nullptr;
}

GraphNode *findNode(cudaGraphNode_t Handle) {
  auto *N = reinterpret_cast<GraphNode *>(Handle);
  return handles().Nodes.count(N) ? N : nullptr;
}

bool hasEdge(const GraphNode *From, const GraphNode *To) {
  return std::find(To->Needs.begin(), To->Needs.end(), From) != To->Needs.end();
}

void addEdge(GraphNode *From, GraphNode *To) {
  To->Needs.push_back(From);
  From->Users.push_back(To);
}

void removeEdge(GraphNode *From, GraphNode *To) {
  std::erase(To->Needs, From);
  std::erase(From->Users, To);
}

std::vector<GraphNode *> inOrder(const Graph &G) {
  std::unordered_map<const GraphNode *, size_t> Left;
  std::vector<GraphNode *> Order;
  for (auto &N : G.Nodes)
    if (!(Left[N.get()] = N->Needs.size()))
      Order.push_back(N.get());
  for (size_t I = 0; I != Order.size(); ++I)
    for (GraphNode *User : Order[I]->Users)
      if (--Left[User] == 0)
        Order.push_back(User);
  return Order;
}

GraphNode *findCircle(const Graph &G) {
  std::vector<GraphNode *> Order = inOrder(G);
  const std::unordered_set<GraphNode *> Ordered(Order.begin(), Order.end());
  for (auto &N : G.Nodes) {
    if (!Ordered.count(N.get()))
      return N.get();
    if (auto *Child = std::get_if<ChildWork>(&N->Work))
      if (findCircle(*Child->Body))
        return N.get();
  }
  return nullptr;
}

std::unique_ptr<Graph> cloneGraph(const Graph &G, bool Private) {
  auto Copy = std::make_unique<Graph>(Private);
  for (auto &N : G.Nodes) {
    GraphNode *New = Copy->add(cloneWork(N->Work, Private), {});
    New->Caller = N->Caller;
    Copy->Clones[N->Id] = New;
  }
  // The order of edges counts for updates.
  for (auto &N : G.Nodes)
    for (const GraphNode *Before : N->Needs)
      Copy->Clones[N->Id]->Needs.push_back(Copy->Clones[Before->Id]);
  for (auto &N : G.Nodes)
    for (const GraphNode *User : N->Users)
      Copy->Clones[N->Id]->Users.push_back(Copy->Clones[User->Id]);
  return Copy;
}

void collectClones(const Graph &G, CloneMap &Out) {
  Out.insert(G.Clones.begin(), G.Clones.end());
  for (auto &N : G.Nodes)
    if (auto *Child = std::get_if<ChildWork>(&N->Work))
      collectClones(*Child->Body, Out);
}

} // namespace echo::cpu
