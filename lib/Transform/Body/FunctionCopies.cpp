//===- FunctionCopies.cpp - Copies of functions to work on ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM gives a copy a subprogram and scopes of its own, unless its map says
// that they stay.
//
//===----------------------------------------------------------------------===//
#include "Transform/Body/FunctionCopies.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

/// Lets \p Map keep \p Scope and what it is in.
static void keepScopes(const DILocalScope *Scope, ValueToValueMapTy &Map) {
  for (const DIScope *S = Scope; isa_and_nonnull<DILocalScope>(S);
       S = S->getScope())
    if (!Map.MD().try_emplace(S, const_cast<DIScope *>(S)).second)
      return;
}

Function *copyOf(Function &F, StringRef Suffix) {
  ValueToValueMapTy Map;
  if (const DISubprogram *Subprogram = F.getSubprogram()) {
    keepScopes(Subprogram, Map);
    for (const Instruction &I : instructions(F)) {
      for (const DILocation *L = I.getDebugLoc(); L; L = L->getInlinedAt())
        keepScopes(L->getScope(), Map);
      for (const DbgRecord &R : I.getDbgRecordRange())
        keepScopes(R.getDebugLoc()->getScope(), Map);
    }
  }
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + Suffix);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  return Copy;
}

void eraseCopy(Function &Copy, FunctionAnalysisManager &FAM) {
  FAM.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
}

} // namespace echo
