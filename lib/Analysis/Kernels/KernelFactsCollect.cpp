//===- KernelFactsCollect.cpp - Kernel facts from device IR ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the attributes that LLVM inferred. Everything not said by an attribute
// is taken to happen. clang writes CUDA's device-scope atomics (atomicAdd) as
// sequentially consistent atomics without a scope; its system-scope ones are
// intrinsics with ".sys" in the name, so only other orders count as system.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/FunctionFacts.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Analysis/Kernels/KernelFields.h"
#include "Support/OwnAnalyses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

/// Whether data of type \p T may carry a pointer: one itself, or bytes or
/// words wide enough to hide one.
static bool mayHoldPointers(Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return S->isOpaque() || any_of(S->elements(), mayHoldPointers);
  if (auto *A = dyn_cast<ArrayType>(T)) {
    Type *Element = A->getElementType();
    if (Element->isIntegerTy() && Element->getIntegerBitWidth() < 64)
      return A->getNumElements() * Element->getIntegerBitWidth() >= 64;
    return mayHoldPointers(Element);
  }
  if (auto *V = dyn_cast<VectorType>(T))
    return mayHoldPointers(V->getElementType());
  return T->isPointerTy() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() >= 64);
}

ParamFacts paramFacts(const Argument &A) {
  ParamFacts P;
  if (!A.getType()->isPointerTy() || A.hasByValAttr()) {
    // A number is no pointer unless the host made it from one, which the
    // host's analysis sees.
    P.MayHoldPointers =
        A.hasByValAttr()
            ? mayHoldPointers(A.getParamByValType())
            : A.getType()->isAggregateType() && mayHoldPointers(A.getType());
    if (P.MayHoldPointers && A.hasByValAttr())
      P.Fields = collectFields(A);
    return P;
  }
  P.IsPointer = true;
  CaptureInfo Captures = A.getAttributes().getCaptureInfo();
  P.Captured = !capturesNothing(Captures.getOtherComponents()) &&
               !capturesAddressIsNullOnly(Captures.getOtherComponents());
  if (P.Captured) {
    FieldFacts F = usesOf(A);
    if (!F.Captured) {
      P.Read = F.Read;
      P.Written = F.Written;
      P.Captured = false;
    }
    return P;
  }
  ModRefInfo MR =
      A.getParent()->getMemoryEffects().getModRef(IRMemLocation::ArgMem);
  P.Read = isRefSet(MR) && !A.hasAttribute(Attribute::WriteOnly) &&
           !A.hasAttribute(Attribute::ReadNone);
  P.Written = isModSet(MR) && !A.onlyReadsMemory();
  return P;
}

bool isPrivate(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  unsigned Space = Object->getType()->getPointerAddressSpace();
  return isa<AllocaInst>(Object) || Space == 3 || Space == 5;
}

bool isHarmlessDeclaration(const Function &F) {
  StringRef Name = F.getName();
  if (F.isIntrinsic())
    return !Name.contains(".sys") || !Name.contains(".atomic.");
  return Name == "vprintf" || Name == "malloc" || Name == "free" ||
         Name == "__assertfail" || Name == "__nvvm_reflect" ||
         Name.starts_with("__nv_");
}

/// Read-modify-writes of system scope: on some memory CUDA does not promise
/// them. Loads, stores (volatile ones are of system scope in PTX) and fences
/// mean the same on all.
static bool isSystemAtomic(const Instruction &I) {
  auto AtSystem = [](SyncScope::ID Scope) {
    return Scope == SyncScope::System;
  };
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return AtSystem(RMW->getSyncScopeID()) &&
           RMW->getOrdering() != AtomicOrdering::SequentiallyConsistent &&
           !isPrivate(RMW->getPointerOperand());
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return AtSystem(CX->getSyncScopeID()) &&
           CX->getSuccessOrdering() != AtomicOrdering::SequentiallyConsistent &&
           !isPrivate(CX->getPointerOperand());
  return false;
}

/// Whether \p Is says so of \p Kernel or of a function that it may call.
static bool anyFunction(const Function &Kernel,
                        function_ref<bool(const Function &)> Is) {
  SmallPtrSet<const Function *, 8> Seen = {&Kernel};
  SmallVector<const Function *> Work = {&Kernel};
  auto Add = [&](const Function &F) {
    if (!F.isDeclaration() && Seen.insert(&F).second)
      Work.push_back(&F);
  };
  bool Indirect = false;
  while (!Work.empty()) {
    const Function &Now = *Work.pop_back_val();
    if (Is(Now))
      return true;
    for (const Instruction &I : instructions(Now)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      if (const Function *Callee = Call->getCalledFunction())
        Add(*Callee);
      else if (!std::exchange(Indirect, true)) // through a pointer, a table
        for (const Function &F : *Kernel.getParent())
          if (F.hasAddressTaken())
            Add(F);
    }
  }
  return false;
}

bool anyInstruction(const Function &Kernel,
                    function_ref<bool(const Instruction &)> Is) {
  return anyFunction(
      Kernel, [&](const Function &F) { return any_of(instructions(F), Is); });
}

static StringRef assemblyOf(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm ? Asm->getAsmString() : StringRef();
}

bool mayUseSystemAtomics(const Instruction &I) {
  if (isSystemAtomic(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (Call->isInlineAsm()) {
    StringRef Text = assemblyOf(*Call);
    bool Modifies = Text.contains("atom") || Text.contains("red.");
    return (Modifies && Text.contains(".sys")) || Text.contains(".mmio");
  }
  const Function *Callee = Call->getCalledFunction();
  return Callee && Callee->isIntrinsic() && !isHarmlessDeclaration(*Callee);
}

/// True if \p Callee has a body that is not seen. Another unit's function may
/// run in place of one that is weak.
static bool isUnseen(const Function &Callee) {
  return Callee.isInterposable() ||
         (Callee.isDeclaration() && !Callee.isIntrinsic() &&
          !isHarmlessDeclaration(Callee));
}

bool callsUnknown(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  // The text may name functions, and the kernel's parameters.
  if (Call->isInlineAsm())
    return assemblyOf(*Call).contains("call") ||
           assemblyOf(*Call).contains("param");
  const Function *Callee = Call->getCalledFunction();
  return !Callee || isUnseen(*Callee);
}

bool mayTrapUnseen(const Instruction &I, bool Whole) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (Call->isInlineAsm())
    return assemblyOf(*Call).contains("call");
  const Function *Callee = Call->getCalledFunction();
  return Callee ? isUnseen(*Callee) : !Whole;
}

bool mayTrap(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return Call && (assemblyOf(*Call).contains("trap") ||
                    assemblyOf(*Call).contains("brkpt"));
  Intrinsic::ID Id = Callee->getIntrinsicID();
  return Callee->getName() == "__assertfail" || Id == Intrinsic::trap ||
         Id == Intrinsic::debugtrap || Id == Intrinsic::ubsantrap;
}

/// True if \p Text loads memory so that it sees what the host writes meanwhile:
/// loads of a narrower scope order threads of the GPU only.
static bool loadsAfresh(StringRef Text) {
  auto HasAny = [&](ArrayRef<StringRef> Words) {
    return any_of(Words, [&](StringRef Word) { return Text.contains(Word); });
  };
  return Text.contains("ld.") && (HasAny({"volatile", "mmio", ".cv", ".sys"}) ||
                                  (HasAny({"acquire", "relaxed"}) &&
                                   !HasAny({".gpu", ".cta", ".cluster"})));
}

static bool sleeps(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return assemblyOf(Call).contains("nanosleep") ||
         (Callee && Callee->getName().contains("nanosleep"));
}

static bool loadsAfresh(const LoadInst &Load) {
  return (Load.isVolatile() ||
          (Load.isAtomic() && Load.getSyncScopeID() == SyncScope::System)) &&
         !isPrivate(Load.getPointerOperand());
}

/// Whether \p I may look again and again whether memory that others write has
/// changed, whatever comes of it.
static bool mayPoll(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  const auto *Call = dyn_cast<CallBase>(&I);
  bool Fresh =
      Load ? loadsAfresh(*Load)
           : Call && (loadsAfresh(assemblyOf(*Call)) || sleeps(*Call) ||
                      (readsAfresh(I) && assemblyOf(*Call).contains("bra")));
  // A device function may be called in a loop. Assembly may be one.
  const BasicBlock *Home = I.getParent();
  return Fresh && (!Load || !isKernel(*I.getFunction()) ||
                   any_of(successors(Home), [&](const BasicBlock *Next) {
                     return isPotentiallyReachable(Next, Home);
                   }));
}

bool mayWait(const Function &F) {
  return anyFunction(F, [&](const Function &Part) {
    if (any_of(instructions(Part), mayPoll) || hasPollingLoop(Part))
      return true;
    // One that calls itself is a loop.
    return &Part != &F && anyInstruction(Part, readsAfresh) &&
           any_of(instructions(Part), [&](const Instruction &I) {
             const auto *Call = dyn_cast<CallBase>(&I);
             const Function *Callee =
                 Call ? Call->getCalledFunction() : nullptr;
             return Callee && !Callee->isDeclaration() &&
                    anyFunction(*Callee, [&](const Function &Other) {
                      return &Other == &Part;
                    });
           });
  });
}

bool mayPrint(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == "vprintf";
}

bool isReadAddress(const Value *V) {
  if (V->getType()->isVectorTy()) // its elements are not followed
    return V->getType()->isPtrOrPtrVectorTy() && !isa<Constant>(V);
  if (!V->getType()->isPointerTy() || isPrivate(V))
    return false;
  SmallVector<const Value *, 4> Bases;
  getUnderlyingObjects(V, Bases, nullptr, /*MaxLookup=*/0);
  return any_of(Bases, [](const Value *Base) {
    return !isa<AllocaInst, Argument, Constant>(Base);
  });
}

/// True if pointers are among the values in \p Buffer, or that is not known.
static bool printsAddress(const Value &Buffer) {
  const Value *Base = getUnderlyingObject(&Buffer, 0);
  if (isa<ConstantPointerNull>(Base))
    return false;
  if (!isa<AllocaInst>(Base))
    return true;
  SmallVector<const Value *, 8> Work = {Base};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (isa<GEPOperator, AddrSpaceCastOperator>(U))
        Work.push_back(U);
      else if (const auto *Store = dyn_cast<StoreInst>(U);
               Store && Store->getValueOperand()->getType()->isPointerTy() &&
               isReadAddress(Store->getValueOperand()))
        return true;
    }
  return false;
}

bool looksAtAddress(const Instruction &I) {
  if (isa<PtrToIntInst>(I)) {
    SmallVector<const Value *> Pointers; // looked at where they are used
    return isReadAddress(I.getOperand(0)) && !usesOfNumber(I, Pointers);
  }
  if (isa<PtrToAddrInst>(I))
    return isReadAddress(I.getOperand(0));
  if (isa<ICmpInst>(I))
    return any_of(I.operands(),
                  [](const Use &Op) { return isReadAddress(Op); }) &&
           !isa<ConstantPointerNull>(I.getOperand(1)) &&
           !comparesInOneBuffer(&I) &&
           getUnderlyingObject(I.getOperand(0), 0) !=
               getUnderlyingObject(I.getOperand(1), 0);
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Call)
    return false;
  if (!Callee || !isHarmlessDeclaration(*Callee))
    return any_of(Call->args(), [&](const Use &Arg) {
      CaptureInfo Kept = Call->getCaptureInfo(Call->getArgOperandNo(&Arg));
      return isReadAddress(Arg) && !ptxAccess(Arg) &&
             !capturesNothing(Kept.getOtherComponents()) && keepsArgument(Arg);
    });
  // Its second argument holds what is printed.
  return Callee->getName() == "vprintf" && Call->arg_size() == 2 &&
         printsAddress(*Call->getArgOperand(1));
}

StringRef plainName(StringRef Name) {
  for (StringRef Suffix : {"__intern__", "__static__"})
    if (size_t At = Name.rfind(Suffix); At != StringRef::npos)
      return Name.take_front(At);
  return Name;
}

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

static KernelFactsTable collect(const Module &M, bool Whole) {
  KernelFactsTable Table;
  for (const Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    KernelFacts Facts;
    // Another unit's kernel may run in place of one that is weak: of that one
    // not even the parameters are known.
    if (F.isInterposable()) {
      Facts.CallsUnknown = Facts.MayTrap = true;
      Table.add(plainName(F.getName()), Facts);
      continue;
    }
    for (const Argument &A : F.args())
      Facts.Params.push_back(paramFacts(A));
    Facts.SystemAtomics = anyInstruction(F, mayUseSystemAtomics);
    Facts.CallsUnknown = anyInstruction(F, callsUnknown);
    Facts.MayTrap = anyInstruction(F, [&](const Instruction &I) {
      return mayTrap(I) || mayTrapUnseen(I, Whole);
    });
    Facts.MayWait = mayWait(F);
    Facts.MayPrint = anyInstruction(F, mayPrint);
    Facts.LooksAtAddresses = anyInstruction(F, looksAtAddress);
    Table.add(plainName(F.getName()), Facts);
  }
  return Table;
}

/// True if \p F is a function, no kernel, that another module's definition of
/// the same name may replace, as far as LLVM knows.
static bool isReplaceable(const Function &F) {
  return !F.isDeclaration() && !isKernel(F) && !F.isDefinitionExact();
}

static void makeOwn(Module &M) {
  for (Function &F : M)
    if (isReplaceable(F)) {
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
}

KernelFactsTable collectKernelFacts(const Module &M, bool Whole) {
  if (!Whole) {
    KernelFactsTable Table = collect(M, Whole);
    std::unique_ptr<Module> Copy = CloneModule(M);
    collectLinkedFacts(*Copy, Table);
    return Table;
  }
  if (llvm::none_of(M, isReplaceable))
    return collect(M, Whole);
  std::unique_ptr<Module> Copy = CloneModule(M);
  makeOwn(*Copy);
  OwnAnalyses Own;
  ModulePassManager MPM;
  MPM.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  MPM.run(*Copy, Own.MAM);
  return collect(*Copy, Whole);
}

namespace {
/// What is taken out of a struct that was just put together is what was put in.
struct ForwardInsertedValues : PassInfoMixin<ForwardInsertedValues> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    bool Changed = false;
    for (Instruction &I : instructions(F))
      if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
        if (Value *V = FindInsertedValue(Extract->getAggregateOperand(),
                                         Extract->getIndices(),
                                         Extract->getIterator());
            V && V != Extract) {
          Extract->replaceAllUsesWith(V);
          Changed = true;
        }
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
} // namespace

/// Makes variables values, inlines, and infers attributes. No access of memory
/// that others see goes but loads whose value nothing uses: the code that runs
/// may do all that it says.
static void simplifyKeepingWrites(Module &M) {
  OwnAnalyses Own;
  auto Clean = [] {
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(ForwardInsertedValues());
    FPM.addPass(InstSimplifyPass());
    FPM.addPass(SCCPPass());
    FPM.addPass(SimplifyCFGPass());
    FPM.addPass(ADCEPass());
    return FPM;
  };
  ModuleInlinerWrapperPass Inliner(
      getInlineParams(OptimizationLevel::O1.getSpeedupLevel(),
                      OptimizationLevel::O1.getSizeLevel()));
  Inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(Clean()));
  Inliner.getPM().addPass(PostOrderFunctionAttrsPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(Clean()));
  MPM.addPass(std::move(Inliner));
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  MPM.run(M, Own.MAM);
}

/// True if other units may have kernel \p F, too: clang gives templates and
/// inline kernels strong linkage on the device.
static bool mayBeOtherUnits(const Function &F) {
  if (F.isDeclaration() || !isKernel(F) || F.hasLocalLinkage())
    return false;
  std::string Name = demangle(F.getName());
  return !F.isDefinitionExact() || F.hasFnAttribute(Attribute::InlineHint) ||
         StringRef(Name).split('(').first.contains('<');
}

KernelFactsTable collectSharedKernelFacts(const Module &M, bool Whole) {
  if (llvm::none_of(M, mayBeOtherUnits))
    return KernelFactsTable();
  std::unique_ptr<Module> Copy = CloneModule(M);
  for (Function &F : *Copy)
    if (!F.isDeclaration() && isKernel(F) && !mayBeOtherUnits(F)) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
  return collectKernelFactsUnoptimized(*Copy, Whole);
}

KernelFactsTable collectKernelFactsUnoptimized(const Module &M, bool Whole) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  if (Whole)
    makeOwn(*Copy);
  for (Function &F : *Copy) {
    if (F.hasOptNone()) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
    }
    // A failed check of UndefinedBehaviorSanitizer only prints.
    if (F.getName().starts_with("__ubsan_handle_"))
      for (User *U : make_early_inc_range(F.users()))
        if (auto *Call = dyn_cast<CallInst>(U); Call && Call->use_empty())
          Call->eraseFromParent();
  }
  simplifyKeepingWrites(*Copy);
  KernelFactsTable Table = collect(*Copy, Whole);
  if (!Whole)
    collectLinkedFacts(*Copy, Table);
  return Table;
}

} // namespace echo
