//===- Body.cpp - What of a function is emitted ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An indirect call that a view knew the callee of becomes, by LLVM's own
// utility, a test of the pointer with a direct call; the call as written stays
// as the other case.
//
//===----------------------------------------------------------------------===//
#include "Transform/Body.h"
#include "Analysis/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

bool mayInline(const CallBase &Call, Function &Callee) {
  return !Callee.isDeclaration() && !Callee.isInterposable() &&
         !Callee.isVarArg() && !Callee.isPresplitCoroutine() &&
         !Callee.callsFunctionThatReturnsTwice() && !isKernelStub(Callee) &&
         !Call.isMustTailCall() && !Callee.hasFnAttribute(Attribute::Naked) &&
         AttributeFuncs::areInlineCompatible(*Call.getFunction(), Callee) &&
         isInlineViable(Callee).isSuccess();
}

Body::Body(Function &F, const CallNumbers &Numbers, Source CodeOf)
    : F(F), Numbers(Numbers), CodeOf(std::move(CodeOf)) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (StringRef Path = callPath(*Call); !Path.empty())
        Calls[Path] = Call;
}

CallBase *Body::at(StringRef Path) {
  if (auto It = Calls.find(Path); It != Calls.end())
    return dyn_cast_or_null<CallBase>(It->second);
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

bool Body::inlineAt(StringRef Path, Function &Callee) {
  Step This{Path.str(), &Callee};
  if (is_contained(Inlined, This))
    return false; // the call that is looked for never runs
  CallBase *Call = at(Path);
  Function *Code = Call ? CodeOf(Callee) : nullptr;
  if (!Code || &Callee == &F || !mayInline(*Call, *Code))
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
