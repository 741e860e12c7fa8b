//===- MemoryObjects.cpp - Buffers and the pointers into them -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagates each buffer's address forward through address arithmetic, phis,
// selects, views and calls that return an argument, to a fixed point.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/MemoryObjects.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Memory/AlternativeSites.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

MemoryObjects::MemoryObjects(Function &F, const ModelTable &Models,
                             const LoopInfo &LI)
    : LI(LI), Views(F, Models) {
  findObjects(F, Models);
  propagate(Models);
  auto Groups = alternativeSites(F, *this, Models);
  if (Groups.empty())
    return;
  unite(Groups);
  Derived.clear();
  ViewStores.clear();
  propagate(Models);
}

/// Makes one object of each of \p Groups, in the place of its first one.
void MemoryObjects::unite(ArrayRef<SmallVector<unsigned, 2>> Groups) {
  SmallVector<bool, 16> Gone(Objects.size(), false);
  for (ArrayRef<unsigned> Group : Groups)
    for (unsigned O : Group.drop_front()) {
      Objects[Group.front()].Others.push_back(
          {Objects[O].Alloc, Objects[O].SizeFactors, Objects[O].SizeArgs});
      Gone[O] = true;
    }
  SmallVector<MemoryObject, 8> Left;
  for (auto [O, IsGone] : llvm::zip_equal(Objects, Gone))
    if (!IsGone)
      Left.push_back(std::move(O));
  Objects = std::move(Left);
  for (unsigned I = 0; I < Objects.size(); ++I)
    for (const CallBase *Alloc : Objects[I].allocs())
      ByAlloc[Alloc] = I;
}

bool MemoryObject::clears() const {
  return What == Calloc && !Alloc->hasMetadata(UnreadZeroes);
}

bool isOutParameter(const Value *Address) {
  const auto *Slot = dyn_cast<AllocaInst>(Address);
  return Slot && Slot->getMetadata("echo.out");
}

/// True if phi \p P only carries the value that a variable had before an
/// allocation fills it anew: a successful call overwrites it.
static bool onlyFeedsOutParameter(const PHINode *P) {
  SmallPtrSet<const Value *, 4> Seen;
  SmallVector<const PHINode *, 4> Work = {P};
  while (!Work.empty()) {
    const PHINode *Phi = Work.pop_back_val();
    if (!Seen.insert(Phi).second)
      continue;
    for (const User *U : Phi->users()) {
      const auto *Store = dyn_cast<StoreInst>(U);
      if (Store && isOutParameter(Store->getPointerOperand()))
        continue;
      const auto *Next = dyn_cast<PHINode>(U);
      if (!Next)
        return false;
      Work.push_back(Next);
    }
  }
  return true;
}

/// The load that CanonicalizeCuda put right after \p Call to take the address
/// out of the call's private variable, or null.
static LoadInst *resultLoad(CallBase &Call, unsigned OutArg) {
  auto *Slot = dyn_cast<AllocaInst>(Call.getArgOperand(OutArg));
  if (!Slot || !isOutParameter(Slot))
    return nullptr;
  for (User *U : Slot->users())
    if (auto *L = dyn_cast<LoadInst>(U))
      return L;
  return nullptr;
}

/// The largest alignment that a program asks of a buffer in earnest.
static constexpr uint64_t MaxAlignment = uint64_t(1) << 30;

/// The alignment in the operand \p V of an allocation, or 0: not known, or one
/// that no allocator grants.
static uint64_t alignmentFrom(const Value *V, bool ThroughOut) {
  const auto *C = dyn_cast<ConstantInt>(V);
  if (!C || !C->getValue().isPowerOf2() || C->getValue().ugt(MaxAlignment))
    return 0;
  // posix_memalign takes no less than a pointer's.
  uint64_t Least = ThroughOut ? sizeof(void *) : 1;
  return C->getZExtValue() < Least ? 0 : C->getZExtValue();
}

/// Fills in what model \p M says of the block that O.Alloc makes. False if it
/// makes none that can be merged.
static bool describeHeapBlock(MemoryObject &O, const FunctionModel &M) {
  CallBase &Call = *O.Alloc;
  switch (M.Allocates) {
  case FunctionModel::Malloc:
    O.What = MemoryObject::Malloc;
    break;
  case FunctionModel::Calloc:
    O.What = MemoryObject::Calloc;
    break;
  case FunctionModel::Aligned:
    O.What = MemoryObject::Aligned;
    break;
  case FunctionModel::New:
    O.What = MemoryObject::New;
    break;
  case FunctionModel::Realloc:
    // echort, which moves the content, knows libc's malloc and free.
    if (M.Name != "realloc" && M.Name != "reallocarray")
      return false;
    O.What = MemoryObject::Realloc;
    break;
  default:
    return false;
  }
  if (Call.arg_size() < M.Args.size())
    return false;
  auto Out = M.allocOut();
  if (M.AllocAlignArg)
    O.Alignment =
        alignmentFrom(Call.getArgOperand(*M.AllocAlignArg), Out.has_value());
  else if (M.Allocates == FunctionModel::Aligned)
    O.Alignment = 0;
  if (!O.Alignment)
    return false;
  bool Status = Call.getType()->isIntegerTy() || Call.getType()->isVoidTy();
  if (!Out && Call.getType()->isPointerTy())
    O.Pointer = &Call;
  else if (Out && Status)
    O.Pointer = resultLoad(Call, *Out);
  O.SizeArgs = M.AllocSizeArgs;
  return true;
}

/// True if pinned allocation \p Call has no flags that CUDA refuses: portable,
/// mapped and write-combined are 1, 2 and 4 (cudaHostAlloc).
static bool hasHostFlags(const CallBase &Call, const ApiInfo &Api) {
  auto Arg = Api.find(ApiRole::Flags);
  if (!Arg || isOff(Check::HostFlags))
    return true;
  const auto *Flags = dyn_cast<ConstantInt>(Call.getArgOperand(*Arg));
  return Flags && Flags->getZExtValue() <= 7;
}

void MemoryObjects::findObjects(Function &F, const ModelTable &Models) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isIntrinsic() || !Callee->isDeclaration())
      continue;
    MemoryObject O;
    O.Alloc = Call;
    if (auto Api = lookupCudaApi(Callee->getName())) {
      bool Device = Api->Name == "cudaMalloc";
      if (!Device && Api->Kind != ApiKind::AllocHost)
        continue;
      if (!Device && !hasHostFlags(*Call, *Api))
        continue;
      auto Out = Api->find(Device ? ApiRole::OutDev : ApiRole::OutHost);
      O.Pointer = resultLoad(*Call, *Out);
      O.What = Device ? MemoryObject::CudaMalloc : MemoryObject::PinnedHost;
      O.SizeArgs.push_back(*Api->find(ApiRole::Bytes));
    } else if (const FunctionModel *M = Models.lookup(Callee->getName())) {
      if (!describeHeapBlock(O, *M))
        continue;
    }
    for (unsigned A : O.SizeArgs)
      O.SizeFactors.push_back(Call->getArgOperand(A));
    if (!O.Pointer || O.SizeFactors.empty())
      continue;
    ByAlloc[Call] = Objects.size();
    Addresses.insert(O.Pointer);
    Objects.push_back(std::move(O));
  }
}

void MemoryObjects::propagate(const ModelTable &Models) {
  SetVector<const Value *> Work;
  auto Add = [&](const Value *V, ArrayRef<unsigned> Set) {
    auto &Old = Derived[V];
    size_t Before = Old.size();
    for (unsigned O : Set)
      if (!is_contained(Old, O))
        Old.push_back(O);
    if (Old.size() != Before) {
      llvm::sort(Old);
      Work.insert(V);
    }
  };
  for (unsigned I = 0; I < Objects.size(); ++I)
    Add(Objects[I].Pointer, {I});
  for (unsigned I = 0; I < Objects.size(); ++I)
    for (const MemoryObject::Site &Site : Objects[I].Others)
      Add(Site.Alloc, {I});
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    SmallVector<unsigned, 2> Set = Derived[V];
    for (const User *U : V->users()) {
      if (const auto *G = dyn_cast<GEPOperator>(U)) {
        if (G->getPointerOperand() == V)
          Add(U, Set);
      } else if (isa<BitCastInst, AddrSpaceCastInst, FreezeInst>(U)) {
        Add(U, Set);
      } else if (const auto *P = dyn_cast<PHINode>(U)) {
        if (!onlyFeedsOutParameter(P))
          Add(U, Set);
      } else if (const auto *S = dyn_cast<SelectInst>(U)) {
        if (S->getCondition() != V)
          Add(U, Set);
      } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getValueOperand() != V || !Views.holds(*Store))
          continue;
        for (unsigned O : Set)
          if (!is_contained(ViewStores[O], Store))
            ViewStores[O].push_back(Store);
        for (const LoadInst *Load : Views.loadsOf(*Store))
          Add(Load, Set);
      } else if (const auto *Call = dyn_cast<CallBase>(U)) {
        if (Value *Returned = Call->getReturnedArgOperand(); Returned == V)
          Add(U, Set);
        const Function *Callee = Call->getCalledFunction();
        const FunctionModel *M =
            Callee ? Models.lookup(Callee->getName()) : nullptr;
        if (M && M->ReturnsArg && *M->ReturnsArg < Call->arg_size() &&
            Call->getArgOperand(*M->ReturnsArg) == V)
          Add(U, Set);
      }
    }
  }
}

/// True if \p V is null or undefined: it adds no buffer to a phi.
static bool isNothing(const Value *V) {
  return isa<ConstantPointerNull, UndefValue>(V);
}

/// A branch condition and its outcome; null: not known.
using Outcome = std::pair<const Value *, bool>;

/// The call that failed where \p If holds: it returned a status other than 0.
static const CallBase *failedCall(Outcome If) {
  const auto *Cmp = dyn_cast_or_null<ICmpInst>(If.first);
  const auto *Zero = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
  auto IfNotZero = If.second ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ;
  if (!Zero || !Zero->isZero() || Cmp->getPredicate() != IfNotZero)
    return nullptr;
  return dyn_cast<CallBase>(Cmp->getOperand(0));
}

/// The condition, and its outcome, under which control takes the edge, or null.
static Outcome edgeCondition(const BasicBlock *From, const BasicBlock *To) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (Branch && Branch->isUnconditional() && From->getSinglePredecessor()) {
    To = From;
    Branch =
        dyn_cast<BranchInst>(From->getSinglePredecessor()->getTerminator());
  }
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {nullptr, false};
  return {Branch->getCondition(), Branch->getSuccessor(0) == To};
}

namespace {
/// Looks back from a pointer for what else a phi or select may bring, and for
/// an offset.
class BackwardWalk {
public:
  /// \p T: what the pointer may point into, to which the walk adds.
  BackwardWalk(const MemoryObjects &Objects, const LoopInfo &LI, Target &T)
      : Objects(Objects), LI(LI), T(T) {}

  void run(const Value *V);

private:
  /// An allocation is taken to succeed; one that fails is not merged. \p
  /// Earlier: the outcome is that of an earlier iteration.
  void nullIf(Outcome If, bool Earlier);
  /// \p Rounds: the outermost loop around \p W of whose earlier iteration it
  /// may be.
  void add(const Value *W, const Loop *Rounds);
  void phi(const PHINode &P, const Loop *Rounds);
  void load(const LoadInst &Load);
  void step(const Value *W, const Loop *Rounds);

  const MemoryObjects &Objects;
  const LoopInfo &LI;
  Target &T;
  SetVector<std::pair<const Value *, const Loop *>> Work;
  bool Offset = false, Loaded = false, Zeroes = false;
};
} // namespace

void BackwardWalk::nullIf(Outcome If, bool Earlier) {
  const CallBase *Failed = failedCall(If);
  int Object = Failed ? Objects.objectOf(Failed) : -1;
  if (Object < 0 || !is_contained(T.Objects, static_cast<unsigned>(Object)))
    T.NullIf.push_back(Earlier ? Outcome(nullptr, false) : If);
}

void BackwardWalk::add(const Value *W, const Loop *Rounds) {
  const auto *I = dyn_cast<Instruction>(W);
  Work.insert({W, Rounds && I && Rounds->contains(I) ? Rounds : nullptr});
}

void BackwardWalk::phi(const PHINode &P, const Loop *Rounds) {
  const Loop *L =
      LI.isLoopHeader(P.getParent()) ? LI.getLoopFor(P.getParent()) : nullptr;
  for (const Use &In : P.incoming_values()) {
    const BasicBlock *From = P.getIncomingBlock(In);
    bool Back = L && L->contains(From);
    const Loop *Of = Back && !(Rounds && Rounds->contains(L)) ? L : Rounds;
    add(In, Of);
    if (isa<ConstantPointerNull>(In))
      nullIf(edgeCondition(From, P.getParent()), Of);
  }
}

void BackwardWalk::load(const LoadInst &Load) {
  const Loop *Of = LI.getLoopFor(Load.getParent());
  if (auto Held = Objects.views().pointersIn(Load, Zeroes))
    for (const Value *In : *Held)
      add(In, Of ? Of->getOutermostLoop() : nullptr);
  else
    Offset = T.Other = true; // the view may hold something else, too
  Loaded = true;
}

void BackwardWalk::step(const Value *W, const Loop *Rounds) {
  if (const auto *G = dyn_cast<GEPOperator>(W)) {
    Offset |= !G->hasAllZeroIndices();
    add(G->getPointerOperand(), Rounds);
  } else if (const auto *S = dyn_cast<SelectInst>(W)) {
    add(S->getTrueValue(), Rounds);
    add(S->getFalseValue(), Rounds);
    if (isa<ConstantPointerNull>(S->getTrueValue()))
      nullIf({S->getCondition(), true}, Rounds);
    if (isa<ConstantPointerNull>(S->getFalseValue()))
      nullIf({S->getCondition(), false}, Rounds);
  } else if (const auto *P = dyn_cast<PHINode>(W)) {
    phi(*P, Rounds);
  } else if (const auto *Load = dyn_cast<LoadInst>(W)) {
    load(*Load);
  } else if (const auto *C = dyn_cast<CallBase>(W)) {
    Offset = true; // a modelled function may return a pointer into the buffer
    if (const Value *R = C->getReturnedArgOperand())
      add(R, Rounds);
  } else {
    add(cast<User>(W)->getOperand(0), Rounds);
  }
}

void BackwardWalk::run(const Value *V) {
  Work.insert({V, nullptr});
  for (unsigned I = 0; I < Work.size(); ++I) {
    const auto [W, Rounds] = Work[I];
    if (!Objects.isDerived(W)) {
      T.Other |= !isNothing(W);
      Zeroes |= isa<ConstantPointerNull>(W);
    } else if (Objects.isAddress(W)) {
      T.Earlier |= Rounds != nullptr;
    } else {
      step(W, Rounds);
    }
  }
  // What holds now may not have held when the pointer was put there.
  if (Loaded && (Zeroes || !T.NullIf.empty()))
    T.NullIf.push_back({nullptr, false});
  T.AtSomeBase = !Offset && !T.Other;
  T.AtBase = T.AtSomeBase && T.single();
}

Target MemoryObjects::resolve(const Value *V) const {
  Target T;
  auto It = Derived.find(V);
  if (It == Derived.end())
    return T;
  T.Objects = It->second;
  BackwardWalk(*this, LI, T).run(V);
  return T;
}

/// True if \p O is not allocated where \p If holds: its call failed.
static bool failedThere(const MemoryObject &O, Outcome If) {
  const auto *Cmp = dyn_cast_or_null<ICmpInst>(If.first);
  auto IfNull = If.second ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE;
  return failedCall(If) == O.Alloc ||
         (Cmp && Cmp->getOperand(0) == O.Pointer &&
          isa<ConstantPointerNull>(Cmp->getOperand(1)) &&
          Cmp->getPredicate() == IfNull);
}

/// True if a way leads from \p Alloc along the edge from \p From to \p To, and
/// not past \p Free before.
static bool leadsAlong(const CallBase &Alloc, const BasicBlock *From,
                       const BasicBlock *To, const CallBase &Free) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto GoOn = [&](const BasicBlock *BB) {
    for (const BasicBlock *Next : successors(BB)) {
      if (BB == From && Next == To)
        return true;
      if (Seen.insert(Next).second && Next != Free.getParent())
        Work.push_back(Next);
    }
    return false;
  };
  bool Ends = Alloc.getParent() == Free.getParent() && Alloc.comesBefore(&Free);
  bool Found = !Ends && GoOn(Alloc.getParent());
  while (!Found && !Work.empty())
    Found = GoOn(Work.pop_back_val());
  return Found;
}

bool MemoryObjects::mayLeave(const CallBase &Free, const Value *Pointer,
                             unsigned Object) const {
  const MemoryObject &O = Objects[Object];
  if (!O.Others.empty())
    return true;
  SetVector<const Value *> Work;
  Work.insert(Pointer);
  for (unsigned I = 0; I < Work.size(); ++I) {
    const Value *W = Work[I];
    if (W == O.Pointer)
      continue;
    if (isa<LoadInst>(W)) {
      return true; // a view may hold it in another place
    } else if (const auto *S = dyn_cast<SelectInst>(W)) {
      for (bool If : {true, false}) {
        const Value *V = If ? S->getTrueValue() : S->getFalseValue();
        if (isNothing(V) && !failedThere(O, {S->getCondition(), If}))
          return true;
        Work.insert(V);
      }
    } else if (const auto *P = dyn_cast<PHINode>(W)) {
      for (const Use &In : P->incoming_values()) {
        const BasicBlock *From = P->getIncomingBlock(In), *To = P->getParent();
        if (isNothing(In) && !failedThere(O, edgeCondition(From, To)) &&
            leadsAlong(*O.Alloc, From, To, Free))
          return true;
        Work.insert(In);
      }
    } else if (isa<GEPOperator, BitCastInst, AddrSpaceCastInst, FreezeInst>(
                   W)) {
      Work.insert(cast<User>(W)->getOperand(0));
    }
  }
  return false;
}

int MemoryObjects::objectOf(const CallBase *Call) const {
  auto It = ByAlloc.find(Call);
  return It == ByAlloc.end() ? -1 : static_cast<int>(It->second);
}

SmallVector<Value *, 32> MemoryObjects::derivedValues() const {
  SmallVector<Value *, 32> All;
  for (const auto &[V, Set] : Derived)
    All.push_back(const_cast<Value *>(V));
  return All;
}

} // namespace echo
