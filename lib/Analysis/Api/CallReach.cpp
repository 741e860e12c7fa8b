//===- CallReach.cpp - What a call may run --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search over the call graph, which starts only in modules that declare one
// of the functions in question, and looks at each function once.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

static constexpr char CalleeNote[] = "echo.callee";

/// The library's functions with a virtual call, and which function it names.
static constexpr std::pair<StringRef, StringRef> LibraryCalls[] = {
    {"_ZNKSt5ctypeIcE5widenEc", "_ZNKSt5ctypeIcE8do_widenEc"},
    {"_ZNKSt5ctypeIcE6narrowEcc", "_ZNKSt5ctypeIcE9do_narrowEcc"}};

static void forLibraryCalls(Module &M,
                            function_ref<void(CallBase &, StringRef)> Visit) {
  for (auto [Caller, Callee] : LibraryCalls)
    if (Function *F = M.getFunction(Caller))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
          Visit(*Call, Callee);
}

void nameLibraryCalls(Module &M) {
  // An attribute stays when a call becomes an invoke; metadata does not.
  forLibraryCalls(M, [&](CallBase &Call, StringRef Callee) {
    Call.addFnAttr(Attribute::get(M.getContext(), CalleeNote, Callee));
  });
}

void forgetLibraryCalls(Module &M) {
  forLibraryCalls(
      M, [](CallBase &Call, StringRef) { Call.removeFnAttr(CalleeNote); });
}

StringRef outOfSightCallee(const CallBase &Call) {
  // Also by a C declaration without parameters.
  if (const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()))
    return Callee->isDeclaration() ? Callee->getName() : StringRef();
  return Call.getFnAttr(CalleeNote).getValueAsString();
}

SmallVector<const Function *, 2> destructorsOfThrown(const CallBase &Call) {
  SmallVector<const Function *, 2> Found;
  if (outOfSightCallee(Call) != "__cxa_end_catch")
    return Found;
  if (const Function *Throw = Call.getModule()->getFunction("__cxa_throw"))
    for (const User *U : Throw->users())
      if (const auto *C = dyn_cast<CallBase>(U); C && C->arg_size() == 3)
        if (const auto *F = dyn_cast<Function>(C->getArgOperand(2)))
          Found.push_back(F);
  return Found;
}

/// True if \p F, which \p Call calls, is out of sight and may call functions of
/// the module that no argument names: it got their addresses elsewhere.
static bool mayCallBack(const CallBase &Call, const Function &F,
                        const ModelTable &Models) {
  if (!F.isDeclaration() || F.isIntrinsic() || lookupCudaApi(F.getName()) ||
      F.getName().starts_with("__cuda") || F.getName() == "atexit" ||
      F.getName() == "__cxa_atexit")
    return false;
  const FunctionModel *Model = Models.lookup(F.getName());
  return !Model || llvm::any_of(Call.args(), [&](const Use &Arg) {
    unsigned A = Call.getArgOperandNo(&Arg);
    bool Named = A < Model->Args.size();
    const ArgModel *M = Named            ? &Model->Args[A]
                        : Model->VarArgs ? &*Model->VarArgs
                                         : nullptr;
    return M && M->What == ArgModel::Callback && !isa<Function>(Arg.get());
  });
}

/// True if \p Call is a call of syscall() that makes no process: its number is
/// none of fork's kind, on x86-64 or on aarch64.
static bool isOtherSyscall(const CallBase &Call, const Function &F) {
  constexpr uint64_t Forking[] = {56, 57, 58, 220, 435};
  if (F.getName() != "syscall" || Call.arg_empty())
    return false;
  const auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Number && !is_contained(Forking, Number->getZExtValue());
}

RunSearch::RunSearch(const Module &M, unsigned Trait, const ModelTable &Models)
    : M(M), Trait(Trait), Models(Models), Declared(Models.traitsOf(M) & Trait) {
}

bool RunSearch::hasVariable() const {
  return any_of(M.globals(), [this](const GlobalVariable &G) {
    return Models.traits(G.getName()) & Trait;
  });
}

RunSearch RunSearch::forUnseen(const Module &M, const ModelTable &Models) {
  RunSearch Search(M, 0, Models);
  Search.Declared = true;
  return Search;
}

/// True if \p F is one of the functions that are looked for. Null is what a
/// pointer may be to.
bool RunSearch::matters(const Function *F) const {
  if (Trait)
    return F && Models.traits(F->getName()) & Trait;
  // Another unit's function may run in place of one that is weak.
  return !F || F->isInterposable() ||
         (F->isDeclaration() && !F->isIntrinsic() &&
          !lookupCudaApi(F->getName()) && !F->getName().starts_with("__cuda") &&
          !isKernelStub(*F) && !Models.lookup(F->getName()));
}

/// Adds what \p Call calls or lets others call. Null stands for each function
/// whose address is taken.
void RunSearch::add(const CallBase &Call, Targets &Into) const {
  for (const Use &Arg : Call.args()) // a function out of sight may call it
    if (const auto *F = dyn_cast<Function>(Arg.get()))
      Into.push_back(F);
  llvm::append_range(Into, destructorsOfThrown(Call));
  const auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  if (Callee && !isOtherSyscall(Call, *Callee))
    Into.push_back(Callee);
  if (Callee ? mayCallBack(Call, *Callee, Models)
             : !Call.isInlineAsm() && outOfSightCallee(Call).empty())
    Into.push_back(nullptr);
}

RunSearch::Targets RunSearch::targets(const Function *F) const {
  Targets Into;
  if (!F) {
    for (const Function &Other : M)
      if (Other.hasAddressTaken())
        Into.push_back(&Other);
    return Into;
  }
  for (const Instruction &I : instructions(*F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      add(*Call, Into);
  return Into;
}

/// True if what is read at \p Address is called at once, and nothing else is
/// done with the memory there.
static bool isOnlyCalled(const Value &Address) {
  return llvm::all_of(Address.users(), [](const User *U) {
    if (isa<GEPOperator>(U))
      return isOnlyCalled(*U);
    return isa<LoadInst>(U) && llvm::all_of(U->uses(), [](const Use &Called) {
             const auto *Call = dyn_cast<CallBase>(Called.getUser());
             return Call && Call->isCallee(&Called);
           });
  });
}

/// True if global \p G is a list of the compiler's own, as that of what runs
/// before main, or a table of functions that the module only calls.
static bool isOnlyCalledOrListed(const GlobalVariable &G) {
  return G.getName().starts_with("llvm.") ||
         (G.hasLocalLinkage() && isOnlyCalled(G));
}

/// True if constant \p C is only in such globals.
static bool isOnlyListed(const Constant &C) {
  if (const auto *G = dyn_cast<GlobalVariable>(&C))
    return isOnlyCalledOrListed(*G);
  return llvm::all_of(C.users(), [](const User *U) {
    return isa<Constant>(U) && isOnlyListed(*cast<Constant>(U));
  });
}

/// True if the address of \p F is taken, and not only to run it when the
/// process ends, before main begins, or as a parallel region.
static bool mayBeginThread(const Function &F) {
  return llvm::any_of(F.uses(), [&](const Use &U) {
    if (const auto *C = dyn_cast<Constant>(U.getUser()))
      return !isOnlyListed(*C);
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call)
      return true;
    StringRef Callee = outOfSightCallee(*Call);
    return !Call->isCallee(&U) && !isForkCall(*Call) && Callee != "atexit" &&
           Callee != "__cxa_atexit";
  });
}

bool RunSearch::mayRunInThread() {
  if (InThread || !Declared)
    return InThread.value_or(false);
  // A function that is called by its address is a beginning itself.
  SetVector<const Function *> Work;
  for (const Function &F : M)
    if (mayBeginThread(F))
      Work.insert(&F);
  InThread = false;
  for (unsigned I = 0; I != Work.size() && !*InThread; ++I) {
    *InThread = matters(Work[I]);
    for (const Function *F : targets(Work[I]))
      if (F)
        Work.insert(F);
  }
  return *InThread;
}

bool RunSearch::mayRun(const CallBase &Call) {
  if (!Declared)
    return false;
  // Functions to look at, each with the place of the one that led to it.
  SmallVector<std::pair<const Function *, unsigned>, 16> Work;
  SmallPtrSet<const Function *, 16> Seen;
  constexpr unsigned None = -1;
  bool Found = false;
  auto Visit = [&](const Targets &From, unsigned By) {
    for (const Function *F : From) {
      auto It = Known.find(F);
      Found |= It != Known.end() ? It->second : matters(F);
      if (It == Known.end() && Seen.insert(F).second)
        Work.push_back({F, By});
    }
  };
  Targets First;
  add(Call, First);
  Visit(First, None);
  unsigned I = 0;
  for (; I < Work.size() && !Found; ++I)
    Visit(targets(Work[I].first), I);
  // What was looked at to the end runs none of them; what led to one does.
  if (!Found)
    for (auto [F, By] : Work)
      Known[F] = false;
  else if (I)
    for (unsigned At = I - 1; At != None; At = Work[At].second)
      Known[Work[At].first] = true;
  return Found;
}

bool anyWorksOfHandle(const Module &M, const ModelTable &Models) {
  return any_of(M, [&](const Function &F) {
    const FunctionModel *Model = Models.lookup(F.getName());
    return Model && Model->Works == FunctionModel::OfHandle;
  });
}

bool storesToEnvironment(const Module &M) {
  const Function *Main = M.getFunction("main");
  return declaresAny(M, {"putenv"}) ||
         (Main && Main->arg_size() > 2 && !Main->getArg(2)->use_empty());
}

bool declaresAny(const Module &M, ArrayRef<StringRef> Names) {
  return any_of(Names, [&](StringRef Name) { return M.getFunction(Name); });
}

} // namespace echo
