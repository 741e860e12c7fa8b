//===- Body.cpp - What of a function is emitted ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An indirect call that a view knew the callee of becomes, by LLVM's own
// utility, a test of the pointer with a direct call; the call as written stays
// as the other case.
//
//===----------------------------------------------------------------------===//
#include "Transform/Body/Body.h"
#include "Analysis/Api/InlineAssembly.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

static bool definesSymbols(Function &F) {
  // A macro may define some, and is called as an instruction is written.
  const bool Macros =
      StringRef(F.getParent()->getModuleInlineAsm()).contains(".macro");
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
          Asm && (Macros || mayDefineSymbol(Asm->getAsmString())))
        return true;
  return false;
}

/// True if \p F, or a tool that it is compiled for, sees where it returns to or
/// that it is entered.
static bool seesItsCalls(Function &F) {
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute() &&
        (A.getKindAsString().starts_with("instrument-function-") ||
         A.getKindAsString() == "function-instrument" ||
         A.getKindAsString() == "fentry-call" ||
         A.getKindAsString().starts_with("xray-") ||
         A.getKindAsString().starts_with("patchable-function")))
      return true; // -finstrument-functions, -pg, XRay, -mfentry
  return llvm::any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call &&
           (Call->getIntrinsicID() == Intrinsic::returnaddress ||
            Call->getIntrinsicID() == Intrinsic::addressofreturnaddress ||
            Call->getIntrinsicID() == Intrinsic::frameaddress);
  });
}

bool mayBeInlined(Function &Callee) {
  return !Callee.isDeclaration() && !Callee.isInterposable() &&
         !Callee.isVarArg() && !Callee.isPresplitCoroutine() &&
         !Callee.callsFunctionThatReturnsTwice() && !isKernelStub(Callee) &&
         !Callee.hasFnAttribute(Attribute::Naked) &&
         isInlineViable(Callee).isSuccess() && !definesSymbols(Callee) &&
         !seesItsCalls(Callee);
}

/// True if \p A and \p B are compiled for the same instructions: with others,
/// products and sums are rounded otherwise (fused multiply-add).
static bool haveSameTarget(const Function &A, const Function &B) {
  return llvm::all_of(ArrayRef{"target-cpu", "target-features"},
                      [&](const char *Kind) {
                        return A.getFnAttribute(Kind) == B.getFnAttribute(Kind);
                      });
}

static bool isUnoptimized(const Function &F) {
  return F.hasOptNone() || F.hasFnAttribute(WasOptNone);
}

/// True if the optimizer would no longer get code of \p Callee that it gets
/// now: its products and sums could not be fused any more.
static bool wouldLoseOptimizer(const Function &Caller, const Function &Callee) {
  return isUnoptimized(Caller) && !isUnoptimized(Callee) &&
         !Callee.hasFnAttribute(Attribute::AlwaysInline);
}

bool mayInlineAt(const CallBase &Call, const Function &Callee) {
  return !Call.isMustTailCall() &&
         haveSameTarget(*Call.getFunction(), Callee) &&
         !wouldLoseOptimizer(*Call.getFunction(), Callee) &&
         AttributeFuncs::areInlineCompatible(*Call.getFunction(), Callee);
}

bool mayInline(const CallBase &Call, Function &Callee) {
  return mayBeInlined(Callee) && mayInlineAt(Call, Callee);
}

/// Bytes that a function's frame may grow by. LLVM's inliner has such a limit
/// for functions that call themselves, of the same size.
static constexpr uint64_t MaxFrame = 16384, MaxFrameOfRecursive = 1024;

/// The bytes of the variables of \p F whose size is constant.
static uint64_t frameOf(const Function &F) {
  uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F))
    if (const auto *Variable = dyn_cast<AllocaInst>(&I)) {
      auto Size = Variable->getAllocationSize(F.getDataLayout());
      Bytes += Size && !Size->isScalable() ? Size->getFixedValue() : 0;
    }
  return Bytes;
}

/// True if \p F may run again before it returns, as far as the module shows.
static bool mayRecur(const Function &F) {
  if (F.doesNotRecurse())
    return false;
  SmallVector<const Function *, 16> Work = {&F};
  SmallPtrSet<const Function *, 16> Seen;
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val()))
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
        if (Callee == &F || (!Callee && !Asm && F.hasAddressTaken()) ||
            (Asm && mayRunElsewhere(Asm->getAsmString())))
          return true;
        if (Callee && !Callee->isDeclaration() && Seen.insert(Callee).second)
          Work.push_back(Callee);
      }
  return false;
}

Body::Body(Function &F, const CallNumbers &Numbers, Source CodeOf)
    : F(F), Numbers(Numbers), CodeOf(std::move(CodeOf)) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (StringRef Path = callPath(*Call); !Path.empty())
        Calls[Path] = Call;
}

CallBase *Body::at(StringRef Path) {
  if (auto It = Calls.find(Path); It != Calls.end()) {
    // Nothing can come between such a call and the return.
    auto *Call = dyn_cast_or_null<CallBase>(It->second);
    return Call && !Call->isMustTailCall() ? Call : nullptr;
  }
  StringRef Around = Path.rsplit('/').first;
  Function *Callee = Numbers.functionOf(Path);
  if (Around.size() == Path.size() || !Callee || !inlineAt(Around, *Callee))
    return nullptr;
  return dyn_cast_or_null<CallBase>(Calls.lookup(Path));
}

bool passesAll(const CallBase &Call, const Function &F) {
  bool Fits = !F.isVarArg() && Call.arg_size() == F.arg_size() &&
              Call.getType() == F.getReturnType() &&
              Call.getCallingConv() == F.getCallingConv();
  for (unsigned A = 0; Fits && A != F.arg_size(); ++A)
    Fits = Call.getArgOperand(A)->getType() == F.getArg(A)->getType() &&
           Call.isByValArgument(A) == F.getArg(A)->hasByValAttr();
  return Fits;
}

/// A direct call of \p Code, the code of \p Callee, where \p Call calls that;
/// null if it calls another function, or in another way.
static CallBase *callDirectly(CallBase &Call, Function &Callee,
                              Function &Code) {
  auto *Named = dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!Named)
    return isLegalToPromote(Call, &Code)
               ? &promoteCallWithIfThenElse(Call, &Code)
               : nullptr;
  if (Named != &Callee || !passesAll(Call, Code))
    return nullptr;
  Call.setCalledFunction(&Code);
  return &Call;
}

static bool isFloat(const Type *T) { return T->isFPOrFPVectorTy(); }

/// True if the options that \p F was compiled with let its products and sums be
/// fused, reordered, or divided otherwise (-ffast-math, -ffp-contract=fast).
static bool maybeCombined(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Op = dyn_cast<FPMathOperator>(&I);
    return Op && Op->getFastMathFlags().any();
  });
}

/// True if results of the program may be rounded otherwise once \p Callee,
/// which clang may leave as a call, is a part of \p Caller.
static bool roundsOtherwise(const Function &Caller, const Function &Callee) {
  const bool HasFloats = any_of(instructions(Callee), [](const Instruction &I) {
    return isFloat(I.getType()) ||
           any_of(I.operand_values(),
                  [](const Value *V) { return isFloat(V->getType()); });
  });
  return HasFloats && (maybeCombined(Caller) || maybeCombined(Callee));
}

bool Body::inlineAt(StringRef Path, Function &Callee) {
  Step This{Path.str(), &Callee};
  if (is_contained(Inlined, This))
    return false; // the call that is looked for never runs
  CallBase *Call = at(Path);
  Function *Code = Call ? CodeOf(Callee) : nullptr;
  if (!Code || &Callee == &F || !mayInline(*Call, *Code) ||
      roundsOtherwise(F, *Code))
    return false;
  if (!Recurs)
    Recurs = mayRecur(F);
  Frame += frameOf(*Code);
  if (Frame > (*Recurs ? MaxFrameOfRecursive : MaxFrame))
    return false;
  Call = callDirectly(*Call, Callee, *Code);
  if (!Call)
    return false;
  InlineFunctionInfo Info;
  if (!InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess())
    return false;
  Inlined.push_back(std::move(This));
  extendCallPaths(Path, Info.InlinedCallSites);
  for (CallBase *Inner : Info.InlinedCallSites)
    if (StringRef Found = callPath(*Inner); !Found.empty())
      Calls[Found] = Inner;
  return true;
}

} // namespace echo
