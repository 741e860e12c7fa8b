//===- TailCalls.cpp - Recursion that is a loop ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's elimination of tail calls decides and does it: nothing of an
// activation may be used when the next one runs. It needs the variables that
// clang made to be values.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/TailCalls.h"
#include "Transform/Body/FunctionCopies.h"
#include "Transform/Body/KeptAccesses.h"
#include "Transform/View/Normalize.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"

using namespace llvm;

namespace echo {

/// The calls in \p F of \p Callee.
static SmallVector<CallBase *, 2> callsOf(Function &F, const Function &Callee) {
  SmallVector<CallBase *, 2> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Call->getCalledFunction() == &Callee)
        Calls.push_back(Call);
  return Calls;
}

Function *TailCalls::asLoop(Function &F) {
  auto [It, New] = Copies.insert({&F, nullptr});
  if (!New)
    return It->second;
  if (callsOf(F, F).empty())
    return nullptr;
  Function *Copy = copyOf(F, ".echo.loop");
  allowPasses(*Copy);
  for (CallBase *Call : callsOf(*Copy, F))
    Call->setCalledFunction(Copy);
  Prepare(F, *Copy);
  foldBy(*Copy, FAM, SimplifyCFGPass());
  promoteBy(*Copy, FAM, TailCallElimPass());
  if (callsOf(*Copy, *Copy).empty() && Copy->use_empty()) {
    Copies[&F] = Copy;
    return Copy;
  }
  Copy->replaceAllUsesWith(&F);
  eraseCopy(*Copy, FAM);
  return nullptr;
}

TailCalls::~TailCalls() {
  for (auto [F, Copy] : Copies)
    if (Copy) {
      Copy->replaceAllUsesWith(F);
      eraseCopy(*Copy, FAM);
    }
}

} // namespace echo
