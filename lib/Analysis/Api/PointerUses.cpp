//===- PointerUses.cpp - What functions do with pointer arguments ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a pointer forward through a function. Bodies are as clang wrote them,
// so a parameter first goes to a variable of its own: a variable that is only
// loaded and stored is followed, without regard to order. Two levels: the
// address of a variable, and the pointer that the variable holds.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

bool isForkCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         Callee->getName() == "__kmpc_fork_call" &&
         Call.arg_size() >= FirstShared;
}

const Function *forkedFunction(const CallBase &Fork) {
  const auto *F = dyn_cast<Function>(Fork.getArgOperand(2));
  return F && !F->isDeclaration() && !F->isInterposable() ? F : nullptr;
}

bool isSharedCell(const Value *V) {
  const auto *Slot = dyn_cast<AllocaInst>(V);
  return Slot && Slot->getMetadata("echo.shared");
}

/// True if the body is the one that runs, and all of it shows.
static bool isInSight(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() &&
         !F.isPresplitCoroutine() && !F.callsFunctionThatReturnsTwice();
}

/// True if the variable \p V is only loaded and stored, as one whole, or, if
/// \p ByCalls, also by calls that get its address.
static bool isPlainVariable(const Value *V, bool ByCalls) {
  const auto *Slot = dyn_cast<AllocaInst>(V);
  return Slot && all_of(Slot->users(), [&](const User *U) {
           if (const auto *Load = dyn_cast<LoadInst>(U))
             return Load->getType() == Slot->getAllocatedType();
           if (const auto *Store = dyn_cast<StoreInst>(U))
             return Store->getPointerOperand() == Slot &&
                    Store->getValueOperand()->getType() ==
                        Slot->getAllocatedType();
           const auto *I = dyn_cast<IntrinsicInst>(U);
           return I ? I->isLifetimeStartOrEnd() : ByCalls && isa<CallBase>(U);
         });
}

bool mayKeepArguments(const FunctionModel &Model) {
  return Model.Name == "send" || Model.Name == "sendto" || Model.callsBack();
}

const FunctionModel *modelThatForgets(const CallBase &Call, unsigned Arg,
                                      const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  const FunctionModel *Model = Callee && Callee->isDeclaration()
                                   ? Models.lookup(Callee->getName())
                                   : nullptr;
  if (!Model || mayKeepArguments(*Model) || Model->ReturnsArg == Arg)
    return nullptr;
  // What a line calls a value may be kept (setvbuf).
  const ArgModel *A = Arg < Model->Args.size() ? &Model->Args[Arg]
                      : Model->VarArgs         ? &*Model->VarArgs
                                               : nullptr;
  bool Keeps =
      !A ||
      is_contained({ArgModel::Value, ArgModel::Keep, ArgModel::Free}, A->What);
  return Keeps ? nullptr : Model;
}

/// True if \p Call is one of CUDA's runtime that is done with what argument
/// \p Arg points to when it returns.
static bool cudaForgets(const CallBase &Call, unsigned Arg) {
  auto Api = cudaApiOf(Call);
  if (!Api || Arg >= Api->Roles.size())
    return false;
  switch (Api->Roles[Arg]) {
  case ApiRole::OutDev:
  case ApiRole::OutHost:
  case ApiRole::OutManaged:
  case ApiRole::OutStream:
  case ApiRole::OutEvent:
  case ApiRole::Out:
  case ApiRole::In:
  case ApiRole::Kept: // what it points to is not forgotten
    return true;
  case ApiRole::Dst:
  case ApiRole::Src:
    return !Api->isAsync();
  default:
    return false;
  }
}

bool forgets(const CallBase &Call, const Use &U, const ModelTable &Models) {
  if (!Call.isArgOperand(&U))
    return false;
  unsigned A = Call.getArgOperandNo(&U);
  return cudaForgets(Call, A) || modelThatForgets(Call, A, Models);
}

PointerUse PointerUses::ofArgument(const Function &F, unsigned Arg) {
  return query({&F, Arg, false});
}
PointerUse PointerUses::ofMemory(const Function &F, unsigned Arg) {
  PointerUse Use = ofArgument(F, Arg);
  Use.Kept |= Use.ComparedWith != 0;
  return Use;
}
PointerUse PointerUses::ofVariable(const Function &F, unsigned Arg) {
  return query({&F, Arg, true});
}

/// Of the functions that \p Call calls back, what \p Of says of each parameter;
/// kept, if one of them is out of sight or takes numbers.
static PointerUse
useByCallbacks(const CallBase &Call, const FunctionModel &Model,
               function_ref<PointerUse(const Function &, unsigned)> Of) {
  PointerUse Found;
  for (auto [Arg, M] : zip(Call.args(), Model.Args)) {
    if (M.What != ArgModel::Callback)
      continue;
    const auto *Body = dyn_cast<Function>(Arg->stripPointerCasts());
    if (!Body || !isInSight(*Body) || Body->isVarArg())
      return {true, true, true};
    for (const Argument &P : Body->args()) {
      if (!P.getType()->isPointerTy() || P.hasPassPointeeByValueCopyAttr())
        return {true, true, true};
      PointerUse Use = Of(*Body, P.getArgNo());
      Found.Read |= Use.Read;
      Found.Written |= Use.Written;
      Found.Kept |= Use.Kept || Use.ComparedWith;
    }
  }
  Found.Kept |= Model.VarArgs && Model.VarArgs->What == ArgModel::Callback;
  return Found;
}

PointerUse PointerUses::ofCallbacks(const CallBase &Call,
                                    const FunctionModel &Model) {
  return useByCallbacks(Call, Model, [this](const Function &F, unsigned Arg) {
    return ofMemory(F, Arg);
  });
}

PointerUse PointerUses::query(const Key &K) {
  soFar(K);
  for (bool Changed = true; std::exchange(Changed, false);)
    for (unsigned I = NumFinal; I != Known.size(); ++I) {
      PointerUse New = walk(Key(Known.begin()[I].first));
      Changed |= !(New == Known.begin()[I].second);
      Known.begin()[I].second = New;
    }
  NumFinal = Known.size();
  return soFar(K);
}

PointerUse PointerUses::soFar(const Key &K) { return Known[K]; }

static void join(PointerUse &Into, const PointerUse &Other) {
  Into.Read |= Other.Read;
  Into.Written |= Other.Written;
  Into.Kept |= Other.Kept;
  Into.ComparedWith |= Other.ComparedWith;
}

/// Adds to \p Mask the arguments that \p V points into. False if it may come
/// from anything else, or be a null of its own, unless that is \p NullIsFine.
static bool addArguments(const Value *V, uint64_t &Mask,
                         bool NullIsFine = false) {
  SetVector<const Value *> Work;
  Work.insert(V);
  for (unsigned I = 0; I != Work.size(); ++I) {
    const Value *W = Work[I];
    if (const auto *A = dyn_cast<Argument>(W)) {
      if (A->getArgNo() >= 64)
        return false;
      Mask |= uint64_t(1) << A->getArgNo();
    } else if (const auto *G = dyn_cast<GEPOperator>(W)) {
      Work.insert(G->getPointerOperand());
    } else if (const auto *P = dyn_cast<PHINode>(W)) {
      Work.insert(P->value_op_begin(), P->value_op_end());
    } else if (const auto *S = dyn_cast<SelectInst>(W)) {
      Work.insert(S->getTrueValue());
      Work.insert(S->getFalseValue());
    } else if (!isa<ConstantPointerNull>(W) || !NullIsFine) {
      return false;
    }
  }
  return true;
}

/// Adds to \p Mask the arguments from which \p Number, an address, is
/// subtracted, or that are from it. False if something else is done with it.
static bool onlySubtracts(const Instruction &Number, uint64_t &Mask) {
  return all_of(Number.users(), [&](const User *U) {
    const auto *Sub = dyn_cast<BinaryOperator>(U);
    return Sub && Sub->getOpcode() == Instruction::Sub &&
           all_of(Sub->operands(), [&](const Use &Op) {
             const auto *Address = dyn_cast<PtrToIntInst>(Op);
             return Address && addArguments(Address->getOperand(0), Mask);
           });
  });
}

/// What intrinsic \p I does with pointer \p V, or with the \p Variable that
/// holds it.
static void intrinsic(const IntrinsicInst &I, const Value *V, bool Variable,
                      PointerUse &Found) {
  if (I.isLifetimeStartOrEnd() || I.isAssumeLikeIntrinsic())
    return;
  const auto *Mem = dyn_cast<AnyMemIntrinsic>(&I);
  if (!Mem || Variable) {
    Found.Kept = true;
    return;
  }
  Found.Written |= Mem->getRawDest() == V;
  const auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
  Found.Read |= Transfer && Transfer->getRawSource() == V;
}

void PointerUses::modelled(const CallBase &Call, const FunctionModel &Model,
                           unsigned Arg, bool Variable, PointerUse &Found) {
  bool Fits = Arg < Model.Args.size() && Call.arg_size() >= Model.Args.size() &&
              !Variable && Model.Allocates == FunctionModel::NotAlloc &&
              Model.Args[Arg].What == ArgModel::Access &&
              (Model.callsBack() || !mayKeepArguments(Model));
  Found.Kept |= !Fits;
  if (Fits && Model.callsBack())
    join(Found,
         useByCallbacks(Call, Model, [this](const Function &F, unsigned Param) {
           return soFar({&F, Param, false});
         }));
  if (Fits)
    join(Found, {Model.Args[Arg].Reads, Model.Args[Arg].Writes, false});
}

/// \p V, one of the arguments of \p Call, is the pointer, or the address of the
/// variable that holds it.
void PointerUses::call(const CallBase &Call, const Value *V, bool Variable,
                       PointerUse &Found, bool &ResultIsIt) {
  const Function *Callee = Call.getCalledFunction();
  if (const auto *I = dyn_cast<IntrinsicInst>(&Call))
    return intrinsic(*I, V, Variable, Found);
  const FunctionModel *Model = Callee && Callee->isDeclaration()
                                   ? Models.lookup(Callee->getName())
                                   : nullptr;
  bool Fork = isForkCall(Call);
  const Function *Body = Fork ? forkedFunction(Call) : Callee;
  for (const Use &Op : Call.operands()) {
    if (Op.get() != V)
      continue;
    if (!Call.isArgOperand(&Op)) {
      Found.Kept = true;
      return;
    }
    unsigned A = Call.getArgOperandNo(&Op);
    if (Model) {
      modelled(Call, *Model, A, Variable, Found);
      ResultIsIt |= Model->ReturnsArg == A;
      continue;
    }
    unsigned Param = Fork ? sharedParam(A) : A;
    if (!Body || !isInSight(*Body) || (Fork && A < FirstShared) ||
        Param >= Body->arg_size() ||
        Body->getArg(Param)->hasPassPointeeByValueCopyAttr()) {
      Found.Kept = true;
      continue;
    }
    PointerUse Theirs = soFar({Body, Param, Variable});
    uint64_t Mine = 0;
    for (unsigned P = 0; P != Body->arg_size() && Theirs.ComparedWith; ++P)
      if (Theirs.ComparedWith >> P & 1)
        Found.Kept |= Fork || Variable || P >= Call.arg_size() ||
                      !addArguments(Call.getArgOperand(P), Mine);
    Theirs.ComparedWith = Mine;
    join(Found, Theirs);
  }
}

/// The pointer, or the address of the variable that holds it, is stored at \p
/// Place: \p Visit is called for each load that may give it.
void PointerUses::stored(const Value &Place, bool Variable, PointerUse &Found,
                         function_ref<void(const LoadInst &)> Visit) {
  if (!isPlainVariable(&Place, /*ByCalls=*/!Variable)) {
    Found.Kept = true;
    return;
  }
  for (const User *U : Place.users()) {
    if (const auto *Load = dyn_cast<LoadInst>(U))
      Visit(*Load);
    // A region inside this one: it may load the pointer from there.
    bool ResultIsIt = false;
    if (const auto *Call = dyn_cast<CallBase>(U))
      call(*Call, &Place, /*Variable=*/true, Found, ResultIsIt);
    Found.Kept |= ResultIsIt;
  }
}

PointerUse PointerUses::walk(const Key &K) {
  PointerUse Found;
  if (!isInSight(*K.F)) {
    Found.Kept = true;
    return Found;
  }
  Found = walk(K, *K.F);
  if (!Found.Kept || K.Variable || !Bodies)
    return Found;
  if (const Function *Simple = (*Bodies)(*K.F)) {
    Found = walk(K, *Simple);
    // What is of no use is gone from there, but not from the function itself.
    Found.Read = Found.Written = true;
  }
  return Found;
}

/// What \p Body, which does what K.F does, does with the argument.
/// True if \p Cmp compares a pointer with null, or with arguments, which it
/// adds to \p Mask. \p Variable: it is the address of one that is compared.
static bool comparesArguments(const ICmpInst &Cmp, bool Variable,
                              uint64_t &Mask) {
  if (isa<ConstantPointerNull>(Cmp.getOperand(0)) ||
      isa<ConstantPointerNull>(Cmp.getOperand(1)))
    return true;
  return !Variable && addArguments(Cmp.getOperand(0), Mask, true) &&
         addArguments(Cmp.getOperand(1), Mask, true);
}

PointerUse PointerUses::walk(const Key &K, const Function &Body) {
  PointerUse Found;
  // Values that are the pointer, and addresses of the variable that holds it.
  SetVector<PointerIntPair<const Value *, 1, bool>> Work;
  Work.insert({Body.getArg(K.Arg), K.Variable});
  for (unsigned I = 0; I < Work.size() && !Found.Kept; ++I) {
    const Value *V = Work[I].getPointer();
    bool Variable = Work[I].getInt();
    for (const User *U : V->users()) {
      if (const auto *Load = dyn_cast<LoadInst>(U)) {
        Found.Read |= !Variable;
        Found.Kept |= Variable && (Load->isVolatile() || Load->isAtomic());
        // Its bits as a number are the pointer, too.
        Found.Kept |= Variable && !Load->getType()->isPtrOrPtrVectorTy();
        if (Variable)
          Work.insert({Load, false});
      } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getValueOperand() == V) {
          stored(*Store->getPointerOperand(), Variable, Found,
                 [&](auto &Load) { Work.insert({&Load, Variable}); });
        } else if (Variable) {
          Found.Kept = true;
        } else {
          Found.Written = true;
        }
      } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(U)) {
        Found.Read = Found.Written = true;
        Found.Kept |= Variable || U->getOperand(0) != V ||
                      count(U->operand_values(), V) != 1;
      } else if (const auto *G = dyn_cast<GEPOperator>(U)) {
        Found.Kept |= G->getPointerOperand() != V ||
                      (Variable && !G->hasAllZeroIndices());
        Work.insert({U, Variable});
      } else if (isa<BitCastInst, FreezeInst, PHINode>(U)) {
        Found.Kept |= Variable;
        Work.insert({U, Variable});
      } else if (const auto *S = dyn_cast<SelectInst>(U)) {
        Found.Kept |= Variable || S->getCondition() == V;
        Work.insert({U, Variable});
      } else if (const auto *Cmp = dyn_cast<ICmpInst>(U)) {
        Found.Kept |= !comparesArguments(*Cmp, Variable, Found.ComparedWith);
      } else if (const auto *Number = dyn_cast<PtrToIntInst>(U)) {
        Found.Kept |= Variable || !onlySubtracts(*Number, Found.ComparedWith);
      } else if (const auto *Call = dyn_cast<CallBase>(U)) {
        bool ResultIsIt = false;
        call(*Call, V, Variable, Found, ResultIsIt);
        if (ResultIsIt)
          Work.insert({U, Variable});
      } else {
        Found.Kept = true;
      }
    }
  }
  return Found;
}

} // namespace echo
