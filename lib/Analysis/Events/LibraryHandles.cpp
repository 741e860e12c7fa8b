//===- LibraryHandles.cpp - Streams of library handles --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow from handles to streams. On a join a handle keeps its
// stream only if all paths agree. Handles and streams are values; where the
// instruction that defines one runs again, what was known of it is gone.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/LibraryHandles.h"
#include "Analysis/Api/StubArguments.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace echo {

/// The model that says what \p Call does, or null.
static const FunctionModel *modelOf(const CallBase &Call,
                                    const ModelTable &Models) {
  const FunctionModel *M = Models.lookup(Call);
  return M && Call.arg_size() >= M->Args.size() ? M : nullptr;
}

bool isNoHandle(const Value &V) {
  const auto *C = dyn_cast<Constant>(&V);
  return C && (isa<UndefValue>(C) || C->isNullValue());
}

/// True if \p V was taken out of the private variable that a call in sight
/// filled with a new handle. If that call failed it is no handle: the variable
/// held none before.
static bool isCreated(const Value *V, const ModelTable &Models) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Slot =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  if (!Slot || !isOutParameter(Slot))
    return false;
  bool Creates = false;
  for (const User *U : Slot->users()) {
    if (const auto *Store = dyn_cast<StoreInst>(U)) {
      if (!isNoHandle(*Store->getValueOperand()))
        return false;
    } else if (const auto *Call = dyn_cast<CallBase>(U)) {
      const FunctionModel *M = modelOf(*Call, Models);
      Creates |= M && M->CreatesHandle &&
                 Call->getArgOperand(*M->CreatesHandle) == Slot;
    }
  }
  return Creates;
}

bool isOwnLibraryHandle(const Value *V, const ModelTable &Models) {
  return isCreated(V, Models) && llvm::all_of(V->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           const FunctionModel *M = Call ? modelOf(*Call, Models) : nullptr;
           return isa<ICmpInst>(U) || (M && !M->callsBack());
         });
}

namespace {
/// The stream of each handle whose stream is known.
using Streams = std::map<const Value *, const Value *>;

class HandleFlow {
public:
  explicit HandleFlow(const UnitContext &Unit) : Unit(Unit) {}
  void step(const Instruction &I, Streams &S) const;

private:
  void call(const CallBase &Call, Streams &S) const;
  bool own(const Value *V) const {
    return isOff(Check::LibraryHandleShared) ||
           isOwnLibraryHandle(V, Unit.Models);
  }
  /// Forgets what other values than \p But may name, too.
  void forgetShared(Streams &S, const Value *But) const {
    std::erase_if(S, [&](const auto &Item) {
      return Item.first != But && !own(Item.first);
    });
  }

  const UnitContext &Unit;
};
} // namespace

void HandleFlow::call(const CallBase &Call, Streams &S) const {
  const Function *Callee = Call.getCalledFunction();
  if (isa<IntrinsicInst>(Call) ||
      (Callee && (isKernelStub(*Callee) || lookupCudaApi(Callee->getName()))))
    return;
  const FunctionModel *M = modelOf(Call, Unit.Models);
  if (!M || M->callsBack())
    return forgetShared(S, nullptr);
  if (M->DestroysHandle)
    S.erase(Call.getArgOperand(*M->DestroysHandle));
  if (!M->SetsStream)
    return;
  const Value *Handle = Call.getArgOperand(M->SetsStream->Handle);
  bool Own = own(Handle);
  if (!Own)
    forgetShared(S, Handle);
  // Another thread may set the stream of a handle that it knows, too.
  if (isa<Constant>(Handle) || (!Own && Unit.OtherThreads))
    S.erase(Handle);
  else
    S[Handle] = Call.getArgOperand(M->SetsStream->Stream);
}

void HandleFlow::step(const Instruction &I, Streams &S) const {
  std::erase_if(S, [&](const auto &Item) {
    return Item.first == &I || Item.second == &I;
  });
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return call(*Call, S);
  if (isCreated(&I, Unit.Models) && own(&I))
    S[&I] = nullptr;
}

/// Keeps in \p Into what \p From says, too.
static void join(std::optional<Streams> &Into,
                 const std::optional<Streams> &From) {
  if (!From)
    return; // not reached yet
  if (!Into)
    Into = From;
  else
    std::erase_if(*Into, [&](const auto &Item) {
      auto It = From->find(Item.first);
      return It == From->end() || It->second != Item.second;
    });
}

/// True if the program gives no library handle a stream: all of it is in sight,
/// and it never does.
static bool leavesStreamsAlone(const Module &M, const UnitContext &Unit) {
  return !Unit.OtherThreads && llvm::none_of(M, [&](const Function &F) {
    const FunctionModel *Model =
        F.isDeclaration() ? Unit.Models.lookup(F.getName()) : nullptr;
    return Model && Model->SetsStream && !F.use_empty();
  });
}

LibraryHandles::LibraryHandles(const Function &F, const UnitContext &Unit) {
  auto WorksOnHandle = [&](const Instruction &I) -> const FunctionModel * {
    const auto *Call = dyn_cast<CallBase>(&I);
    const FunctionModel *M = Call ? modelOf(*Call, Unit.Models) : nullptr;
    return M && M->Works == FunctionModel::OfHandle ? M : nullptr;
  };
  if (llvm::none_of(instructions(F), WorksOnHandle))
    return;
  AlwaysDefault = leavesStreamsAlone(*F.getParent(), Unit);
  HandleFlow Flow(Unit);
  std::map<const BasicBlock *, std::optional<Streams>> Out;
  auto InOf = [&](const BasicBlock *BB) {
    std::optional<Streams> In;
    if (BB == &F.getEntryBlock())
      In.emplace();
    for (const BasicBlock *Pred : predecessors(BB))
      join(In, Out[Pred]);
    return In;
  };
  ReversePostOrderTraversal<const Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Order) {
      std::optional<Streams> S = InOf(BB);
      if (!S)
        continue;
      for (const Instruction &I : *BB)
        Flow.step(I, *S);
      if (Out[BB] != S) {
        Out[BB] = std::move(S);
        Changed = true;
      }
    }
  }
  for (const BasicBlock *BB : Order) {
    std::optional<Streams> S = InOf(BB);
    if (!S)
      continue;
    for (const Instruction &I : *BB) {
      if (const FunctionModel *M = WorksOnHandle(I)) {
        const auto &Call = cast<CallBase>(I);
        auto It = S->find(Call.getArgOperand(M->StreamArg));
        if (It != S->end())
          Known[&Call] = It->second;
      }
      Flow.step(I, *S);
    }
  }
}

std::optional<const Value *>
LibraryHandles::streamOf(const CallBase &Call) const {
  auto It = Known.find(&Call);
  if (AlwaysDefault)
    return nullptr;
  if (It == Known.end())
    return std::nullopt;
  return It->second;
}

} // namespace echo
