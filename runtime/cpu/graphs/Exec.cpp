//===- Exec.cpp - Graphs that can be launched -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiates and launches graphs. See Exec.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Exec.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Events.h"
#include "runtime/cpu/LiveSet.h"
#include "runtime/cpu/StreamTable.h"
#include "runtime/cpu/graphs/GraphMemory.h"

#include <algorithm>

namespace echo::cpu {

static LiveSet<Exec> &execs() {
  static auto *Set = new LiveSet<Exec>;
  return *Set;
}

static const Exec *pointer(cudaGraphExec_t Handle) {
  return reinterpret_cast<const Exec *>(Handle);
}

Exec::~Exec() {
  if (Body)
    setLaunchable(*Body, false);
  for (Stream *Lane : Lanes)
    destroyStream(Lane);
}

cudaGraphExec_t instantiate(const Graph &G, unsigned long long Flags) {
  auto X = std::make_unique<Exec>();
  X->Body = cloneGraph(G, /*Private=*/true);
  setLaunchable(*X->Body, true);
  X->Flags = Flags;
  collectClones(*X->Body, X->NodeOf);
  X->Steps = planSteps(*X->Body);
  for (size_t Count = assignLanes(X->Steps); Count; --Count)
    X->Lanes.push_back(createStream(cudaStreamNonBlocking, 0));
  return reinterpret_cast<cudaGraphExec_t>(execs().add(std::move(X)));
}

Exec *findExec(cudaGraphExec_t Handle) {
  const Exec *X = pointer(Handle);
  return execs().contains(X) ? const_cast<Exec *>(X) : nullptr;
}

GraphNode *nodeIn(Exec &X, cudaGraphNode_t Original) {
  const GraphNode *N = findNode(Original);
  if (!N)
    return nullptr;
  auto It = X.NodeOf.find(N->Id);
  return It == X.NodeOf.end() ? nullptr : It->second;
}

bool destroyExec(cudaGraphExec_t Handle) {
  return execs().take(pointer(Handle)) != nullptr;
}

/// The operation of a step that is no wait for an event.
static OpRef submitStep(const Step &S, Stream &Lane) {
  auto *Record = S.Node ? std::get_if<RecordWork>(&S.Node->Work) : nullptr;
  Event *E = Record ? findEvent(Record->Event) : nullptr;
  if (E) {
    OpRef Marker = joinInto(Lane, nullptr, E->timed());
    setMoment(*E, Marker);
    return Marker;
  }
  if (S.Node)
    ApiCaller = S.Node->Caller;
  static const NodeWork Nothing;
  Op *O = makeNodeOp(S.Node && S.Node->Enabled ? S.Node->Work : Nothing);
  OpRef Result = OpRef::share(O);
  submit(Lane, O);
  return Result;
}

/// What the event of a step that waits for one stands for now.
static OpRef awaited(const Step &S) {
  auto *Wait = S.Node ? std::get_if<WaitWork>(&S.Node->Work) : nullptr;
  Event *E = Wait ? findEvent(Wait->Event) : nullptr;
  return E && !E->OfCapture.load() ? momentOf(*E).Marker : OpRef();
}

void launchExec(Exec &X, Stream &S) {
  void *const Caller = ApiCaller;
  const OpRef Begin = joinInto(S, X.Last.get());
  std::vector<OpRef> Done;
  for (const Step &Each : X.Steps) {
    Stream &Lane = *X.Lanes[Each.Lane];
    if (Each.Needs.empty())
      joinInto(Lane, Begin.get());
    for (size_t Before : Each.Needs)
      if (X.Steps[Before].Lane != Each.Lane)
        joinInto(Lane, Done[Before].get());
    if (OpRef Other = awaited(Each))
      joinInto(Lane, Other.get());
    Done.push_back(submitStep(Each, Lane));
  }
  ApiCaller = Caller;
  X.Last = Begin;
  for (size_t I = 0; I != X.Steps.size(); ++I)
    if (X.Steps[I].Last)
      X.Last = joinInto(S, Done[I].get());
}

void orderAfterLaunches(Exec &X, Stream &S) {
  if (X.Last)
    X.Last = joinInto(S, X.Last.get());
}

} // namespace echo::cpu
