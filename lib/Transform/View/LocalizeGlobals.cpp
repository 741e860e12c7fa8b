//===- LocalizeGlobals.cpp - Globals that only main uses ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every use of the variable must be a load, a store, or an argument of a call
// of CUDA's runtime that fills it: a variable whose address someone keeps might
// be used when main has returned. The bodies of functions that were inlined
// into main use it too; they do not run any more.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/LocalizeGlobals.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

/// Larger variables hold data, not pointers and sizes (bytes). Tables of
/// pointers may be larger, as long as all of them fit on the stack.
static constexpr uint64_t MaxBytes = 1024, MaxTables = 128 << 10;

/// True if \p F may be called by code that is not in its module.
static bool callableFromOutside(const Function &F) {
  return !F.isDeclaration() && !F.hasLocalLinkage() &&
         !F.hasAvailableExternallyLinkage() && F.getName() != "main";
}

/// True if the address of \p F is in the list of what runs before main, and
/// nowhere else.
static bool onlyRunsBeforeMain(const Function &F) {
  const auto *Ctors = F.getParent()->getNamedGlobal("llvm.global_ctors");
  return Ctors && F.hasLocalLinkage() && all_of(F.users(), [&](const User *U) {
           return isa<ConstantStruct>(U) &&
                  all_of(U->users(), [&](const User *List) {
                    return isa<ConstantArray>(List) &&
                           all_of(List->users(),
                                  [&](const User *V) { return V == Ctors; });
                  });
         });
}

/// True if code that is no instruction (an initializer, an alias) has the
/// address of \p F.
static bool isInData(const Function &F) {
  return F.hasAddressTaken() &&
         any_of(F.users(), [](const User *U) { return !isa<Instruction>(U); });
}

/// Adds what \p F calls, or only the functions whose address it takes.
static void addNamed(const Function &F, bool Calls,
                     SetVector<const Function *> &Work) {
  for (const Instruction &I : instructions(F))
    for (const Use &Op : I.operands()) {
      const auto *Named = dyn_cast<Function>(Op);
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Named && (Calls || !Call || !Call->isCallee(&Op)))
        Work.insert(Named);
    }
}

/// Adds to \p Work, functions that run, what they call, and what they may let
/// others call, as they take the address.
static DenseSet<const Function *> closure(SetVector<const Function *> &Work,
                                          CodeOfFunction CodeOf = nullptr) {
  for (unsigned I = 0; I < Work.size(); ++I) {
    const Function *Code = CodeOf ? CodeOf(*Work[I]) : Work[I];
    addNamed(*Code, /*Calls=*/true, Work);
  }
  return DenseSet<const Function *>(Work.begin(), Work.end());
}

DenseSet<const Function *> functionsThatRun(const Module &M,
                                            const Function *Start,
                                            CodeOfFunction CodeOf) {
  SetVector<const Function *> Work;
  if (Start)
    Work.insert(Start);
  for (const Function &F : M)
    if (callableFromOutside(F) || isInData(F))
      Work.insert(&F);
  return closure(Work, CodeOf);
}

/// Those of \p All, all that run if \p Start does, that may run when what runs
/// before main is done: also what that registered to be called.
static DenseSet<const Function *>
notBeforeMain(const Module &M, const Function *Start,
              const DenseSet<const Function *> &All) {
  SetVector<const Function *> Work;
  Work.insert(Start);
  for (const Function &F : M) {
    if (callableFromOutside(F) || (isInData(F) && !onlyRunsBeforeMain(F)))
      Work.insert(&F);
    if (All.contains(&F))
      addNamed(F, /*Calls=*/false, Work);
  }
  return closure(Work);
}

/// True if \p U, a use of the variable's address, keeps no address.
static bool isPlainUse(const Use &U, const ModelTable &Models) {
  const User *By = U.getUser();
  if (const auto *Load = dyn_cast<LoadInst>(By))
    return Load->isSimple();
  if (const auto *Store = dyn_cast<StoreInst>(By))
    return Store->isSimple() && U.getOperandNo() == 1;
  if (isa<GEPOperator>(By))
    return all_of(By->uses(),
                  [&](const Use &Next) { return isPlainUse(Next, Models); });
  if (const auto *Memory = dyn_cast<MemIntrinsic>(By))
    return !Memory->isVolatile();
  const auto *Call = dyn_cast<CallBase>(By);
  return Call && forgets(*Call, U, Models);
}

/// Adds the functions that use \p V, a constant, to \p Users; \p Outside: a
/// use is in none.
static void collectUsers(const Value &V, SetVector<const Function *> &Users,
                         bool &Outside) {
  for (const User *U : V.users()) {
    if (const auto *I = dyn_cast<Instruction>(U))
      Users.insert(I->getFunction());
    else if (isa<ConstantExpr>(U))
      collectUsers(*U, Users, Outside);
    else
      Outside = true; // an initializer, llvm.used
  }
}

/// Lets the instructions of \p F use address \p V through instructions instead
/// of constant expressions.
static void expandConstants(Function &F, Constant &V) {
  SmallVector<ConstantExpr *, 8> Users;
  for (User *U : V.users())
    if (auto *C = dyn_cast<ConstantExpr>(U))
      Users.push_back(C);
  for (ConstantExpr *C : Users) {
    expandConstants(F, *C);
    SmallVector<Use *, 8> Uses;
    for (Use &U : C->uses())
      if (auto *I = dyn_cast<Instruction>(U.getUser()))
        if (I->getFunction() == &F)
          Uses.push_back(&U);
    for (Use *U : Uses) {
      auto *I = cast<Instruction>(U->getUser());
      Instruction *New = C->getAsInstruction();
      auto *Phi = dyn_cast<PHINode>(I);
      New->insertBefore(
          Phi ? Phi->getIncomingBlock(*U)->getTerminator()->getIterator()
              : I->getIterator());
      U->set(New);
    }
  }
}

static bool holdsPointer(Type *T) {
  return T->isPointerTy() || llvm::any_of(T->subtypes(), holdsPointer);
}

static uint64_t sizeOf(const GlobalVariable &GV) {
  return GV.getDataLayout().getTypeAllocSize(GV.getValueType());
}

/// True if \p GV is of the kind of variables that functions may own.
static bool isPlainVariable(const GlobalVariable &GV) {
  return GV.hasLocalLinkage() && !GV.isConstant() && !GV.isThreadLocal() &&
         GV.hasInitializer() && !GV.isExternallyInitialized() &&
         GV.getAddressSpace() == 0 && !GV.hasSection() &&
         (sizeOf(GV) <= MaxBytes ||
          (sizeOf(GV) <= MaxTables && GV.getInitializer()->isNullValue() &&
           holdsPointer(GV.getValueType())));
}

bool mayHoldBuffers(const GlobalVariable &GV) {
  return isPlainVariable(GV) && holdsPointer(GV.getValueType());
}

/// True if code of \p F, which runs before main, keeps no address of \p V, a
/// constant address in a variable.
static bool preparesOnly(const Function &F, const Constant &V,
                         const ModelTable &Models, PointerUses &Bodies) {
  return all_of(V.uses(), [&](const Use &U) {
    if (const auto *C = dyn_cast<ConstantExpr>(U.getUser()))
      return preparesOnly(F, *C, Models, Bodies);
    const auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I || I->getFunction() != &F || isPlainUse(U, Models))
      return I != nullptr;
    const auto *Call = dyn_cast<CallBase>(I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Call->isArgOperand(&U) && !Callee->isDeclaration() &&
           !Callee->isInterposable() && !Callee->isVarArg() &&
           !Bodies.ofMemory(*Callee, Call->getArgOperandNo(&U)).Kept;
  });
}

namespace {
/// Whose variable is it?
enum class Owner { Others, Function, FunctionOnceInitialized };

/// What runs in a module but what was inlined into main.
struct RunningCode {
  DenseSet<const Function *> All, NotBeforeMain;
};
} // namespace

/// Whether \p GV, of a module in which \p Running runs, can be a variable of
/// \p F.
static Owner ownerOf(GlobalVariable &GV, Function &F,
                     const RunningCode &Running, const ModelTable &Models) {
  if (!isPlainVariable(GV))
    return Owner::Others;
  SetVector<const Function *> Users;
  bool Outside = false;
  collectUsers(GV, Users, Outside);
  if (Outside || !Users.contains(&F))
    return Owner::Others;
  Owner Result = Owner::Function;
  PointerUses Bodies(Models);
  for (const Function *U : Users) {
    if (U == &F || !Running.All.contains(U) || isOff(Check::GlobalElsewhere))
      continue;
    if (Running.NotBeforeMain.contains(U) ||
        !preparesOnly(*U, GV, Models, Bodies))
      return Owner::Others;
    Result = Owner::FunctionOnceInitialized;
  }
  return Result;
}

bool localizeGlobals(Function &F, const ModelTable &Models) {
  const Function *Main = F.getParent()->getFunction("main");
  if (!Main || Main->isDeclaration() || !Main->use_empty() || !isMain(F) ||
      F.callsFunctionThatReturnsTwice())
    return false;
  Module &M = *F.getParent();
  RunningCode Running;
  Running.All = functionsThatRun(M, &F);
  Running.NotBeforeMain = notBeforeMain(M, &F, Running.All);
  if (&F != Main) {
    Running.All.erase(Main);
    Running.NotBeforeMain.erase(Main);
  }
  bool Changed = false;
  uint64_t Left = MaxTables;
  for (GlobalVariable &GV : M.globals()) {
    Owner Whose = ownerOf(GV, F, Running, Models);
    if (Whose == Owner::Others)
      continue;
    expandConstants(F, GV);
    SmallVector<Use *, 16> Uses;
    for (Use &U : GV.uses())
      if (auto *I = dyn_cast<Instruction>(U.getUser()))
        if (I->getFunction() == &F)
          Uses.push_back(&U);
    uint64_t Bytes = sizeOf(GV);
    if (!all_of(Uses, [&](const Use *U) { return isPlainUse(*U, Models); }) ||
        (Bytes > MaxBytes && Bytes > Left))
      continue;
    Left -= Bytes > MaxBytes ? Bytes : 0;
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    std::string Name = variableOf(&GV);
    AllocaInst *Slot = B.CreateAlloca(GV.getValueType(), nullptr, Name);
    Slot->setAlignment(GV.getAlign().value_or(
        GV.getDataLayout().getPrefTypeAlign(GV.getValueType())));
    keepName(*Slot, Name);
    B.SetInsertPoint(Slot->getNextNode());
    if (Whose == Owner::Function && Bytes > MaxBytes)
      B.CreateMemSet(Slot, B.getInt8(0), Bytes, Slot->getAlign());
    else if (Whose == Owner::Function)
      B.CreateStore(GV.getInitializer(), Slot);
    else
      B.CreateMemCpy(Slot, Slot->getAlign(), &GV, GV.getAlign(), Bytes);
    for (Use *U : Uses)
      U->set(Slot);
    Changed = true;
  }
  return Changed;
}

} // namespace echo
