//===- ConstantSpace.cpp - What does not fit into constant memory ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that nothing uses may be of any address space.
//
//===----------------------------------------------------------------------===//
#include "Transform/Device/ConstantSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

constexpr uint64_t ConstantMemoryBytes = 65536;

/// True if only llvm.used and its kind name \p G.
static bool isUnused(const GlobalVariable &G) {
  SmallVector<const User *, 8> Work(G.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (const auto *Holder = dyn_cast<GlobalVariable>(U)) {
      if (!Holder->getName().starts_with("llvm."))
        return false;
    } else if (isa<ConstantExpr, ConstantArray>(U)) {
      append_range(Work, U->users());
    } else {
      return false;
    }
  }
  return true;
}

bool echo::moveUnusedConstants(Module &M) {
  const DataLayout &Layout = M.getDataLayout();
  uint64_t Bytes = 0;
  SmallVector<GlobalVariable *, 8> Unused;
  for (GlobalVariable &G : M.globals()) {
    if (G.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_CONST ||
        !G.hasInitializer())
      continue;
    Bytes += Layout.getTypeAllocSize(G.getValueType());
    if (isUnused(G))
      Unused.push_back(&G);
  }
  if (Bytes <= ConstantMemoryBytes || Unused.empty())
    return false;
  for (GlobalVariable *G : Unused) {
    removeFromUsedLists(M, [&](Constant *C) { return C == G; });
    auto *Moved = new GlobalVariable(
        M, G->getValueType(), G->isConstant(), G->getLinkage(),
        G->getInitializer(), "", G, G->getThreadLocalMode(),
        NVPTXAS::ADDRESS_SPACE_GLOBAL, G->isExternallyInitialized());
    Moved->copyAttributesFrom(G);
    Moved->takeName(G);
    G->eraseFromParent();
    appendToCompilerUsed(M, {Moved});
  }
  return true;
}
