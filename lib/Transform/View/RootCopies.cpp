//===- RootCopies.cpp - Normalized copies of the roots --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts calls by name only: where one is found later, the function itself is
// inlined.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/RootCopies.h"
#include "Transform/View/Roots.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

RootCopies::RootCopies(const Roots &R, FunctionAnalysisManager &FAM)
    : FAM(FAM) {
  DenseSet<const Function *> All(R.calleesFirst().begin(),
                                 R.calleesFirst().end());
  for (const Function *Root : R.calleesFirst()) {
    SetVector<const Function *> Called;
    for (const Instruction &I : instructions(*Root))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && Callee != Root && All.contains(Callee))
          Called.insert(Callee);
    for (const Function *Callee : Called) {
      Callees[Root].push_back(Callee);
      ++Callers[Callee];
    }
  }
}

void RootCopies::drop(const Function &Root) {
  Function *Copy = ToInline.lookup(&Root);
  ToInline.erase(&Root);
  if (Copy && !Kept.contains(Copy))
    eraseCopy(*Copy, FAM);
}

void RootCopies::inlinedInto(const Function &Root) {
  for (const Function *Callee : Callees.lookup(&Root))
    if (--Callers[Callee] == 0)
      drop(*Callee);
}

void RootCopies::lookedAt(const Function &Root, Function &Own, bool Keep,
                          Function *ForCallers, bool Inline) {
  if (Keep)
    Kept.insert(&Own);
  else
    FAM.clear(Own, Own.getName());
  if (ForCallers)
    ToInline[&Root] = ForCallers;
  if (!Inline)
    drop(Root);
  bool Inlined = ForCallers == &Own;
  if (!Keep && !Inlined)
    eraseCopy(Own, FAM);
}

RootCopies::~RootCopies() {
  while (!ToInline.empty())
    drop(*ToInline.begin()->first);
  for (Function *Copy : Kept)
    eraseCopy(*Copy, FAM);
}

} // namespace echo
