//===- RootDecisions.cpp - What is decided about a module -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RootDecisions.h.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/RootDecisions.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Memory/Exposure.h"
#include "Pipeline/AnalysisPrinter.h"
#include "Transform/Emit/Repair.h"
#include "Transform/View/ForwardLoads.h"
#include "Transform/View/LibraryCopies.h"
#include "Transform/View/LocalizeGlobals.h"
#include "Transform/View/MemberNames.h"
#include "Transform/View/Normalize.h"
#include "Transform/View/SimpleBodies.h"
#include "Transform/View/UnreadZeroes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace echo {

void leakInto(Function &F, const HostInputs &In, HostOptions::Leak Where) {
  if (In.Options.LeakView == Where)
    forwardLoads(F, In.Models);
}

/// True if the view of \p F is the same whether its callers were looked at or
/// not, and callers may inline it.
static bool mayServeCallers(const Function &F, const Roots &R) {
  return !R.isRecursive(F) && llvm::none_of(F, [](const BasicBlock &BB) {
    return BB.hasAddressTaken();
  });
}

std::unique_ptr<FunctionDecision>
RootDecisions::decide(Function &F, const UnitContext &Context) {
  auto Decide = [&] {
    return std::make_unique<FunctionDecision>(F, FAM, Context,
                                              In.Options.MinBytes);
  };
  auto D = Decide();
  if (markUnreadZeroes(F, *D))
    D = Decide();
  reportConditions(F, FAM, Context);
  // A wait that is added might never end, and what kernels printed comes out
  // where the host waits.
  if (!In.Options.Repair || !In.Options.Unify ||
      Context.Work.mayWaitForHost() || Context.Work.mayPrint())
    return D;
  return repair(F, FAM, Context, In.Options.MinBytes, std::move(D));
}

void RootDecisions::decideRoot(Function &Root, const UnitContext &Context) {
  TimeTraceScope Whole("EchoRoot", Root.getName()); // -ftime-trace
  leakInto(Root, In, HostOptions::Leak::BeforeDecision);
  Function *View = echo::copyOf(Root, ".echo");
  bool Serves = mayServeCallers(Root, R);
  // A recursive call stays a call, as it does in the real function.
  Closed.insert(&Root);
  size_t Limit = Budget || isMain(Root) ? MaxRoot : MaxRootWithoutBudget;
  // Nothing is inlined where the most part would not fit by far.
  if (!isMain(Root) && R.sizeWithCallees(Root) > HopelessFactor * MaxRoot)
    Limit = Root.getInstructionCount();
  bool Fits = [&] {
    TimeTraceScope Scope("EchoInline", Root.getName());
    return inlineAndSplit(*View, FAM, In.Models, R, Closed,
                          Serves ? Copies.toInline() : FunctionCopies(), Limit);
  }();
  Function *ForCallers = nullptr;
  // A wait that is added is one of this function.
  if (Serves && Fits && Copies.hasCallers(Root) && !In.Options.Repair)
    ForCallers = namesNoMembers(*View) ? View : echo::copyOf(*View, ".inline");
  Copies.inlinedInto(Root);
  if (View->getInstructionCount() <= Limit) {
    TimeTraceScope Scope("EchoSimplify", Root.getName());
    simplify(*View, FAM, In.Models);
  }
  if (!In.Options.PerThreadDefaultStream)
    copyByCuda(*View, FAM);
  Budget -= std::min<size_t>(Budget, View->getInstructionCount());
  auto D = [&] {
    TimeTraceScope Scope("EchoDecide", Root.getName());
    return decide(*View, Context);
  }();
  Found.add(Root, *D, Fits);
  bool Keep = In.Options.Unify && D->anyAccepted();
  // Inlined constructors show which virtual functions are called.
  if (!D->complete() || !R.mayStayCall(Root))
    Closed.erase(&Root);
  if (Keep) {
    DecisionOf[&Root] = D.get();
    Merging.push_back({&Root, View, std::move(D), Fits});
  }
  D.reset();
  Copies.lookedAt(Root, *View, Keep, ForCallers, !Closed.contains(&Root));
}

void RootDecisions::decideAll() {
  DirectCalls Direct(M);
  nameLibraryCalls(M);
  SimpleBodies Simple(FAM, In.Models, R);
  BodySource Bodies = [&](const Function &F) { return Simple.of(F); };
  RunSearches Runs(M, In.Models);
  UnitContext Context{In.Models,
                      In.Kernels,
                      Runs,
                      In.Options.PerThreadDefaultStream,
                      R.mayHaveThreads(M, In.Models),
                      &Bodies,
                      HostDependentWork(M, In.Models, In.Kernels),
                      R.anyNoAlias(M),
                      &In.Assumed};
  Budget = 150000 + M.getInstructionCount();
  for (Function *Root : R.calleesFirst())
    decideRoot(*Root, Context);
  forgetLibraryCalls(M);
}

} // namespace echo
