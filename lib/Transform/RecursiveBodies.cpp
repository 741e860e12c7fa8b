//===- RecursiveBodies.cpp - Recursive functions made readable ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only functions that a root reaches by direct calls, and that get a pointer.
//
//===----------------------------------------------------------------------===//
#include "Transform/RecursiveBodies.h"
#include "Transform/Normalize.h"
#include "Transform/Roots.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

/// Instructions; a larger function is not copied.
static constexpr unsigned MaxBody = 2000;

/// The functions that those of \p R call, themselves or through others.
static SetVector<Function *> reached(const Roots &R) {
  SetVector<Function *> Work;
  Work.insert(R.calleesFirst().begin(), R.calleesFirst().end());
  for (unsigned I = 0; I != Work.size(); ++I)
    for (Instruction &Inst : instructions(*Work[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration())
          Work.insert(Callee);
  return Work;
}

static bool isWorthACopy(const Function &F) {
  return !F.isInterposable() && !F.isVarArg() && !F.isPresplitCoroutine() &&
         F.getInstructionCount() <= MaxBody &&
         any_of(F.args(), [](const Argument &A) {
           return A.getType()->isPointerTy() && !A.hasByValAttr();
         });
}

RecursiveBodies::RecursiveBodies(Module &M, FunctionAnalysisManager &FAM,
                                 const ModelTable &Models, const Roots &R)
    : FAM(FAM) {
  if (R.calleesFirst().empty())
    return;
  SetVector<Function *> Reached = reached(R);
  SmallVector<Function *, 8> Recursive;
  CallGraph CG(M);
  for (auto It = scc_begin(&CG); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      for (CallGraphNode *N : *It)
        if (Function *F = N->getFunction();
            F && Reached.contains(F) && !F->isDeclaration() && isWorthACopy(*F))
          Recursive.push_back(F);
  for (Function *F : Recursive) {
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(F, Map);
    Copy->setName(F->getName() + ".echo.body");
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setComdat(nullptr);
    simplifyBody(*Copy, FAM, Models, R, {F});
    Bodies[F] = Copy;
  }
}

RecursiveBodies::~RecursiveBodies() {
  for (auto [F, Copy] : Bodies) {
    FAM.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
}

} // namespace echo
