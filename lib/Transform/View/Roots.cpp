//===- Roots.cpp - Which functions to analyze -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the strongly connected components of the call graph bottom-up, so that
// callees come first and recursion ends.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/Roots.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/DeviceCode.h"
#include "Transform/Body/Body.h"
#include "Transform/View/LibraryCopies.h"
#include "Transform/View/LocalizeGlobals.h"
#include "Transform/View/VirtualCalls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace echo {

/// Gives \p Call, whose type is not that of the function it calls, that type if
/// all arguments have theirs.
void DirectCalls::callAsDefined(CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand());
  if (!F || F->isIntrinsic() ||
      F->getFunctionType() == Call.getFunctionType() || !passesAll(Call, *F))
    return;
  Changed.push_back({&Call, F, Call.getFunctionType()});
  Call.mutateFunctionType(F->getFunctionType());
}

DirectCalls::DirectCalls(Module &M) {
  for (GlobalAlias &A : M.aliases()) {
    auto *F = dyn_cast<Function>(A.getAliasee());
    if (!F || A.isInterposable() || F->isInterposable())
      continue;
    A.replaceUsesWithIf(F, [&](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      bool Calls = Call && Call->isCallee(&U) &&
                   Call->getFunctionType() == F->getFunctionType();
      if (Calls)
        Changed.push_back({Call, &A, Call->getFunctionType()});
      return Calls;
    });
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        callAsDefined(*Call);
}

DirectCalls::~DirectCalls() {
  for (const Old &O : llvm::reverse(Changed)) {
    O.Call->setCalledOperand(O.Callee);
    O.Call->mutateFunctionType(O.Type);
  }
}

bool callsGpu(const Function &Callee, const ModelTable &Models) {
  if (isKernelStub(Callee))
    return true;
  if (!Callee.isDeclaration())
    return false;
  StringRef Name = Callee.getName();
  const FunctionModel *M = Models.lookup(Name);
  return lookupCudaApi(Name) || (M && (M->usesGpu() || isLibraryCopy(Name)));
}

/// True if \p F, which is out of sight, is called to end the program, or to
/// throw what the program made.
static bool endsProgram(const Function &F) {
  return F.doesNotReturn() && !F.getName().starts_with("_ZSt");
}

unsigned Roots::own(const Function &F, const ModelTable &Models) const {
  unsigned Bits = 0;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    for (const Use &U : I.operands()) {
      if (!isa<Constant>(U) || !U->getType()->isPointerTy() ||
          (Call && Call->isCallee(&U)))
        continue;
      const Value *Object = getUnderlyingObject(U);
      if (const auto *GV = dyn_cast<GlobalVariable>(Object)) {
        if (mayHoldBuffers(*GV))
          Bits |= Variables;
        if (!GV->isConstant() && !GV->isDeclaration())
          Bits |= Hidden;
      } else if (isa<Function>(Object)) {
        Bits |= Hidden;
      }
    }
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee) {
      if (Call)
        Bits |= Hidden;
      continue;
    }
    if (callsGpu(*Callee, Models))
      Bits |= Gpu;
    if (isKernelStub(*Callee))
      Bits |= Touches;
    if (!Callee->isDeclaration())
      continue;
    if (endsProgram(*Callee))
      Bits |= Hidden;
    if (auto Api = lookupCudaApi(Callee->getName())) {
      if (Api->Kind != ApiKind::Neutral)
        Bits |= Touches;
      if (Api->Kind == ApiKind::AllocDevice)
        Bits |= Device;
      if (Api->Kind == ApiKind::Copy || Api->Kind == ApiKind::Copy2D)
        Bits |= Copies;
    } else if (const FunctionModel *M = Models.lookup(Callee->getName())) {
      if (isLibraryCopy(Callee->getName()))
        Bits |= Copies;
      if (M->Allocates != FunctionModel::NotAlloc || M->usesGpu())
        Bits |= Touches;
      for (const ArgModel &A : M->Args)
        if (A.What == ArgModel::Free)
          Bits |= Touches;
    }
  }
  return Bits;
}

Roots::Roots(Module &M, const ModelTable &Models) {
  constexpr unsigned All = Device | Copies;
  CallGraph CG(M);
  // Who makes an object may call its virtual functions.
  DenseSet<std::pair<const Function *, const Function *>> Virtual;
  for (const Function &F : M)
    forVirtualFunctions(F, [&](Function &Callee) {
      CG[&F]->addCalledFunction(nullptr, CG[&Callee]);
      Virtual.insert({&F, &Callee});
    });
  for (auto It = scc_begin(&CG); !It.isAtEnd(); ++It) {
    unsigned Bits = 0, CalledBits = 0;
    uint64_t Size = 0;
    for (CallGraphNode *N : *It) {
      Function *F = N->getFunction();
      if (!F || F->isDeclaration() || isDeviceCode(*F))
        continue;
      if (!isKernelStub(*F))
        CalledBits |= own(*F, Models);
      Size += F->getInstructionCount();
      for (const auto &Edge : *N)
        if (const Function *Callee = Edge.second->getFunction()) {
          Bits |= Flags.lookup(Callee);
          if (Flags.lookup(Callee) & Touches)
            Size = SaturatingAdd(Size, Sizes.lookup(Callee));
          if (Edge.first || !Virtual.contains({F, Callee}))
            CalledBits |= Called.lookup(Callee);
        }
    }
    Bits |= CalledBits;
    for (CallGraphNode *N : *It) {
      Function *F = N->getFunction();
      if (!F || F->isDeclaration() || isDeviceCode(*F) || isKernelStub(*F))
        continue;
      Flags[F] = Bits;
      Sizes[F] = Size;
      Called[F] = CalledBits;
      if ((Bits & All) == All && !F->hasAvailableExternallyLinkage())
        Order.push_back(F);
      if (It.hasCycle())
        Recursive.insert(F);
    }
  }
}

/// True if all that OpenMP's threads are given are regions in sight that leave
/// the GPU alone, and the threads are done when \p Fork, which starts them,
/// returns.
static bool forksLeaveGpuAlone(const Function &Fork, const ModelTable &Models) {
  return llvm::all_of(Fork.uses(), [&](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isCallee(&U) && isForkCall(*Call) &&
           leavesGpuAlone(*Call, Models);
  });
}

bool Roots::mayHaveThreads(const Module &M, const ModelTable &Models) const {
  const Function *Main = M.getFunction("main");
  if (!Main || Main->isDeclaration())
    return true;
  // What runs before main may leave work on the GPU as another thread would.
  if (const auto *Ctors = M.getNamedGlobal("llvm.global_ctors"))
    if (const auto *List = dyn_cast<ConstantArray>(Ctors->getInitializer()))
      for (const Use &Entry : List->operands()) {
        const auto *F = dyn_cast<Function>(
            cast<Constant>(Entry)->getOperand(1)->stripPointerCasts());
        if (!F || (!F->getName().starts_with("__cuda") &&
                   (touchesBuffers(*F) || !leavesGpuAlone(*F, Models))))
          return true;
      }
  return llvm::any_of(M, [&](const Function &F) {
    return F.isDeclaration() && hasHostUse(F) && !F.isIntrinsic() &&
           !F.getName().starts_with("__cuda") && F.getName() != "atexit" &&
           F.getName() != "__cxa_atexit" &&
           F.getName() != "__gxx_personality_v0" && !isKernelStub(F) &&
           !lookupCudaApi(F.getName()) && !Models.lookup(F.getName()) &&
           !forksLeaveGpuAlone(F, Models);
  });
}

bool Roots::mayStayCall(const Function &F) const {
  constexpr unsigned All = Device | Copies;
  return (Called.lookup(&F) & All) == All;
}

bool Roots::touchesBuffers(const Function &F) const {
  return (Flags.lookup(&F) & (Device | Copies | Touches)) != 0;
}

bool Roots::keepsNoAlias(const Function &F) const {
  return !F.isDeclaration() && !touchesBuffers(F) && !isKernelStub(F);
}

/// True if \p I calls a function whose result goes to memory that may be a
/// buffer (`new (p) T(make())`): not to a variable, nor on to the caller's.
static bool returnsToMemory(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  for (unsigned A : {0u, 1u}) {
    if (A >= Call->arg_size() || !Call->paramHasAttr(A, Attribute::StructRet))
      continue;
    const Value *To = getUnderlyingObject(Call->getArgOperand(A));
    const auto *Own = dyn_cast<Argument>(To);
    return !isa<AllocaInst>(To) && !(Own && Own->hasStructRetAttr());
  }
  return false;
}

bool Roots::anyNoAlias(const Module &M) const {
  const auto Takes = [](const Argument &A) {
    return A.hasNoAliasAttr() && !A.hasStructRetAttr();
  };
  const auto Inlined = [](const Instruction &I) {
    return I.getMetadata(LLVMContext::MD_noalias) != nullptr;
  };
  const auto Returns = [&](const Instruction &I) {
    if (!returnsToMemory(I))
      return false;
    const Function *Callee = cast<CallBase>(I).getCalledFunction();
    return !Callee || keepsNoAlias(*Callee);
  };
  return llvm::any_of(M, [&](const Function &F) {
    return (keepsNoAlias(F) && (llvm::any_of(F.args(), Takes) ||
                                llvm::any_of(instructions(F), Inlined))) ||
           llvm::any_of(instructions(F), Returns);
  });
}

bool Roots::usesGpu(const Function &F) const {
  return (Flags.lookup(&F) & Gpu) != 0;
}

bool Roots::staysReadable(const Function &F) const {
  return Flags.contains(&F) && !(Flags.lookup(&F) & (Gpu | Hidden));
}

bool Roots::usesPointerVariables(const Function &F) const {
  return (Flags.lookup(&F) & Variables) != 0;
}

} // namespace echo
