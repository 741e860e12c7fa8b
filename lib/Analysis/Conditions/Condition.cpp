//===- Condition.cpp - The table of conditions ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Condition.h.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace echo {

PairContext::PairContext(Function &F, FunctionAnalysisManager &FAM,
                         const UnitContext &Unit, const Effects &Events,
                         const MemoryObjects &Objects, const Sizes &SizesOf)
    : F(F), FAM(FAM), Unit(Unit), Events(Events), Objects(Objects),
      SizesOf(SizesOf), LI(FAM.getResult<LoopAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      Lifetimes(F, Events, Objects, SizesOf, LI, DT),
      Keys(LI, Unit.OtherThreads) {}

std::vector<std::unique_ptr<Condition>> makeConditions() {
  std::vector<std::unique_ptr<Condition>> All;
#define CONDITION(Class, Id, Page) All.push_back(std::make_unique<Class>());
#include "Analysis/Conditions/Conditions.def"
  return All;
}

PairGroup groupOf(ArrayRef<Candidate *> Left, const MemoryObjects &Objects) {
  SmallVector<const Pair *, 8> Pairs;
  for (const Candidate *D : Left)
    Pairs.push_back(&D->P);
  return PairGroup(Pairs, Objects);
}

} // namespace echo
