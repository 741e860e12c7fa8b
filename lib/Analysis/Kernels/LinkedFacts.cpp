//===- LinkedFacts.cpp - Kernels that call functions of other units -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each kernel and each device function that other units can call: what it
// does if every function that is out of sight did nothing, which of these it
// calls, and which of its pointers reach which of their parameters. The link
// joins the units' tables and adds up what the callees do. A callee that no
// unit has, or whose definition another one may replace, leaves the kernel's
// facts as they were. Static device functions are part of their unit's callers
// and have no name here.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/FunctionFacts.h"
#include "Analysis/Kernels/KernelFields.h"
#include "Support/OwnAnalyses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;

namespace echo {

namespace {

/// No function has this name: who calls it has no known facts.
constexpr StringLiteral Nobody = "?";

class Collector {
public:
  explicit Collector(Module &M) : M(M) {}
  void run(KernelFactsTable &Table);

private:
  void prepare();
  LinkedFacts factsOf(const Function &F);
  void addCall(const CallBase &Call, LinkedFacts &Facts);
  void addArgument(const CallBase &Call, unsigned Arg, StringRef Callee,
                   LinkedFacts &Facts);
  void closeOverStatic();

  Module &M;
  /// Functions that other units define or may call, by the name they go by.
  DenseSet<const Function *> Named;
  MapVector<const Function *, LinkedFacts> Found;
};

} // namespace

static bool isOutOfSight(const Function &F) {
  return F.isDeclaration() && !isHarmlessDeclaration(F);
}

/// Makes functions out of sight do nothing with their arguments, and infers
/// anew what the others do.
void Collector::prepare() {
  LLVMContext &C = M.getContext();
  for (Function &F : M) {
    if (isOutOfSight(F)) {
      Named.insert(&F);
      for (Argument &A : F.args()) {
        if (!A.getType()->isPointerTy())
          continue;
        for (Attribute::AttrKind Kind :
             {Attribute::ReadOnly, Attribute::WriteOnly, Attribute::Returned})
          A.removeAttr(Kind);
        A.addAttr(Attribute::ReadNone);
        A.addAttr(Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
      }
    } else if (!F.isDeclaration() && !isKernel(F) && !F.hasLocalLinkage()) {
      Named.insert(&F);
      if (F.isInterposable())
        continue;
      // Other copies of an inline function are joined by its name.
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  OwnAnalyses Own;
  ModulePassManager MPM;
  MPM.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  MPM.run(M, Own.MAM);
}

/// Nothing is known of what the function does with by-value data.
static void forgetFields(ParamFacts &P) {
  if (!P.IsPointer)
    P.Fields.reset();
}

static void addFlow(LinkedFacts &Facts, LinkedFacts::Flow F) {
  if (!is_contained(Facts.Flows, F))
    Facts.Flows.push_back(std::move(F));
}

void Collector::addArgument(const CallBase &Call, unsigned Arg,
                            StringRef Callee, LinkedFacts &Facts) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Call.getArgOperand(Arg), Objects, nullptr,
                       /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    // Its pointers may come from here; those stored in it are captured.
    if (isa<AllocaInst, Constant>(Object))
      continue;
    if (const auto *A = dyn_cast<Argument>(Object)) {
      ParamFacts &P = Facts.Own.Params[A->getArgNo()];
      forgetFields(P);
      if (P.IsPointer)
        addFlow(Facts, {A->getArgNo(), Callee.str(), Arg});
      continue;
    }
    // What is read from memory is no parameter that nothing keeps, but for
    // variables of a thread or a block. A block's may hold those of the kernel,
    // or of another function that it calls.
    const auto *Load = dyn_cast<LoadInst>(Object);
    const Value *Home =
        Load ? getUnderlyingObject(Load->getPointerOperand(), 0) : nullptr;
    const bool Shared = Home && Home->getType()->getPointerAddressSpace() ==
                                    NVPTXAS::ADDRESS_SPACE_SHARED;
    if (Shared && !isKernel(*Call.getFunction()) &&
        !is_contained(Facts.Calls, Nobody))
      Facts.Calls.push_back(Nobody.str());
    bool AnyParam = !Home || Shared || isa<AllocaInst>(Home);
    for (auto [N, P] : enumerate(Facts.Own.Params)) {
      forgetFields(P);
      if (AnyParam && P.IsPointer)
        addFlow(Facts, {unsigned(N), Callee.str(), Arg});
    }
  }
}

void Collector::addCall(const CallBase &Call, LinkedFacts &Facts) {
  // Calls of a pointer and of assembly are seen as such.
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || (Callee->isDeclaration() && !Named.contains(Callee)))
    return;
  StringRef Name = isKernel(*Callee) ? StringRef(Nobody) : Callee->getName();
  if (!is_contained(Facts.Calls, Name))
    Facts.Calls.push_back(Name.str());
  // Of its parameters a function tells what it does with the memory.
  Facts.Own.LooksAtAddresses |=
      any_of(Call.args(), [](const Use &Arg) { return isReadAddress(Arg); });
  for (unsigned Arg = 0; Arg != Call.arg_size(); ++Arg)
    if (Call.getArgOperand(Arg)->getType()->isPtrOrPtrVectorTy())
      addArgument(Call, Arg, Name, Facts);
}

LinkedFacts Collector::factsOf(const Function &F) {
  LinkedFacts Facts;
  if (F.isInterposable()) {
    Facts.Calls = {Nobody.str()};
    return Facts;
  }
  for (const Argument &A : F.args()) {
    ParamFacts &P = Facts.Own.Params.emplace_back(paramFacts(A));
    // A caller goes on with a pointer that it gets back.
    if (P.IsPointer && !isKernel(F) &&
        !capturesNothing(CaptureComponents(A.getAttributes().getCaptureInfo())))
      P.Captured |= usesOf(A).Captured;
  }
  Facts.Own.SystemAtomics = anyInstruction(F, mayUseSystemAtomics);
  // What is called by name is added when the link knows it.
  auto IsNamed = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && isOutOfSight(*Callee);
  };
  Facts.Own.CallsUnknown = anyInstruction(
      F, [&](const Instruction &I) { return !IsNamed(I) && callsUnknown(I); });
  Facts.Own.MayTrap = anyInstruction(F, [&](const Instruction &I) {
    return mayTrap(I) || (!IsNamed(I) && mayTrapUnseen(I, /*Whole=*/false));
  });
  // A caller in another unit may call it in a loop.
  Facts.Own.MayWait =
      mayWait(F) ||
      (!isKernel(F) && anyInstruction(F, [](const Instruction &I) {
        return readsAfresh(I) && (!I.use_empty() || isa<CallBase>(I));
      }));
  Facts.Own.MayPrint = anyInstruction(F, mayPrint);
  Facts.Own.LooksAtAddresses = anyInstruction(F, looksAtAddress);
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      addCall(*Call, Facts);
  return Facts;
}

/// Puts what static functions call and pass on in place of calls of them.
void Collector::closeOverStatic() {
  StringMap<const LinkedFacts *> Static;
  for (const auto &[F, Facts] : Found)
    if (!Named.contains(F) && !isKernel(*F))
      Static[F->getName()] = &Facts;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[F, Facts] : Found) {
      size_t Before = Facts.Calls.size() + Facts.Flows.size();
      for (size_t I = 0; I != Facts.Calls.size(); ++I)
        if (const LinkedFacts *Callee = Static.lookup(Facts.Calls[I]))
          for (size_t J = 0; J != Callee->Calls.size(); ++J)
            if (std::string Name = Callee->Calls[J];
                !is_contained(Facts.Calls, Name))
              Facts.Calls.push_back(Name);
      for (size_t I = 0; I != Facts.Flows.size(); ++I)
        if (const LinkedFacts *Callee = Static.lookup(Facts.Flows[I].Callee))
          for (size_t J = 0; J != Callee->Flows.size(); ++J)
            if (LinkedFacts::Flow On = Callee->Flows[J];
                On.Param == Facts.Flows[I].CalleeParam) {
              On.Param = Facts.Flows[I].Param;
              addFlow(Facts, On);
            }
      Changed |= Before != Facts.Calls.size() + Facts.Flows.size();
    }
  }
  for (auto &[F, Facts] : Found) {
    erase_if(Facts.Calls,
             [&](const std::string &Name) { return Static.contains(Name); });
    erase_if(Facts.Flows, [&](const LinkedFacts::Flow &Flow) {
      return Static.contains(Flow.Callee);
    });
  }
}

void Collector::run(KernelFactsTable &Table) {
  prepare();
  for (const Function &F : M)
    if (!F.isDeclaration())
      Found[&F] = factsOf(F);
  closeOverStatic();
  // All kernels: for another architecture one may call what it does not here.
  for (const auto &[F, Facts] : Found)
    if (isKernel(*F) || Named.contains(F))
      Table.addLinked(plainName(F->getName()), Facts);
}

void collectLinkedFacts(Module &M, KernelFactsTable &Table) {
  Collector(M).run(Table);
}

/// Adds to \p Into what a callee's parameter does; null: it is not known.
static bool addParam(ParamFacts &Into, const ParamFacts *Callee) {
  ParamFacts Before = Into;
  if (!Callee || !Callee->IsPointer) {
    Into.Read = Into.Written = Into.Captured = true;
  } else {
    Into.Read |= Callee->Read;
    Into.Written |= Callee->Written;
    Into.Captured |= Callee->Captured;
  }
  return Before.Read != Into.Read || Before.Written != Into.Written ||
         Before.Captured != Into.Captured;
}

/// What one of two truths about a kernel excludes, it does not do. What a
/// kernel does by functions that nothing is known of, no flag of its own
/// excludes.
static void meet(KernelFacts &Known, const KernelFacts &Other) {
  if (Known.Params.size() != Other.Params.size())
    return;
  const bool All = Known.CallsUnknown;
  auto Exclude = [&](bool KernelFacts::*Flag) {
    Known.*Flag = (All || Known.*Flag) && Other.*Flag;
  };
  Exclude(&KernelFacts::SystemAtomics);
  Exclude(&KernelFacts::MayTrap);
  Exclude(&KernelFacts::MayWait);
  Exclude(&KernelFacts::MayPrint);
  Exclude(&KernelFacts::LooksAtAddresses);
  Exclude(&KernelFacts::CallsUnknown);
  for (auto [P, O] : zip(Known.Params, Other.Params)) {
    if (P.IsPointer != O.IsPointer)
      continue;
    P.Read &= O.Read;
    P.Written &= O.Written;
    P.Captured &= O.Captured;
    if (!P.Fields)
      P.Fields = O.Fields;
  }
}

void KernelFactsTable::resolveLinked() {
  StringSet<> Unknown;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &Entry : Linked) {
      LinkedFacts &Facts = Entry.second;
      for (const std::string &Name : Facts.Calls) {
        auto It = Linked.find(Name);
        if (It == Linked.end() || Unknown.contains(Name)) {
          Changed |= Unknown.insert(Entry.getKey()).second;
          continue;
        }
        const KernelFacts &Callee = It->second.Own;
        auto Add = [&](bool &Into, bool More) {
          Changed |= More && !Into;
          Into |= More;
        };
        Add(Facts.Own.SystemAtomics, Callee.SystemAtomics);
        Add(Facts.Own.CallsUnknown, Callee.CallsUnknown);
        Add(Facts.Own.MayTrap, Callee.MayTrap);
        Add(Facts.Own.MayWait, Callee.MayWait);
        Add(Facts.Own.MayPrint, Callee.MayPrint);
        Add(Facts.Own.LooksAtAddresses, Callee.LooksAtAddresses);
      }
      for (const LinkedFacts::Flow &F : Facts.Flows) {
        auto It = Linked.find(F.Callee);
        if (It == Linked.end() || F.Param >= Facts.Own.Params.size())
          continue;
        const std::vector<ParamFacts> &Params = It->second.Own.Params;
        Changed |= addParam(
            Facts.Own.Params[F.Param],
            F.CalleeParam < Params.size() ? &Params[F.CalleeParam] : nullptr);
      }
    }
  }
  for (const auto &Entry : Linked)
    if (auto It = Kernels.find(Entry.getKey());
        It != Kernels.end() && !Unknown.contains(Entry.getKey()))
      meet(It->second, Entry.second.Own);
}

} // namespace echo
