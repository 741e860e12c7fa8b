//===- EffectsBodies.cpp - Calls of functions in sight --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that was not inlined (noinline, recursive, too large) and a
// parallel region of OpenMP are host accesses of the whole call, to what their
// bodies read or write. A pointer that they keep, or give to the GPU, is
// refused; so is one that goes to a function out of sight.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Support/Checks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

void EffectsBuilder::given(CallBase &Call, const Value *Pointer, PointerUse Use,
                           const std::string &What) {
  if (Use.Kept)
    return refuse(Objects.resolve(Pointer), Blocker::UnknownCall, Call, What);
  Target T = Objects.resolve(Pointer);
  for (unsigned A = 0; A != Call.arg_size() && Use.ComparedWith; ++A) {
    Target Other = Objects.resolve(Call.getArgOperand(A));
    // A difference from null is the address.
    bool Same = T.single() && Other.single() && T.Objects == Other.Objects &&
                sameBase(Pointer, Call.getArgOperand(A));
    if ((Use.ComparedWith >> A & 1) && !Same)
      refuse(T, Blocker::PointerCompared, Call, What);
  }
  if ((Use.Read || Use.Written) && !isOff(Check::CalleeAccesses))
    hostAccess(Call, Pointer, Use.Read, Use.Written, nullptr,
               "host (" + What + ")");
}

/// What \p Body does with argument \p Param. \p Fork: its parameters are not
/// those of the call.
PointerUse EffectsBuilder::ofArgument(const Function &Body, unsigned Param,
                                      bool Fork) {
  return Fork ? Uses.ofMemory(Body, Param) : Uses.ofArgument(Body, Param);
}

BitVector EffectsBuilder::linkedBuffers(const Function &F) const {
  BitVector Linked(Objects.objects().size());
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
    auto DstArg = Api ? Api->find(ApiRole::Dst) : std::nullopt;
    auto SrcArg = Api ? Api->find(ApiRole::Src) : std::nullopt;
    if (!DstArg || !SrcArg)
      continue;
    Target Dst = Objects.resolve(Call->getArgOperand(*DstArg));
    Target Src = Objects.resolve(Call->getArgOperand(*SrcArg));
    if (Dst.none() || Src.none())
      continue;
    for (const Target *T : {&Dst, &Src})
      for (unsigned O : T->Objects)
        Linked.set(O);
  }
  return Linked;
}

bool EffectsBuilder::mayBeLinked(const Value *Pointer) const {
  return any_of(Objects.resolve(Pointer).Objects,
                [&](unsigned O) { return Linked.test(O); });
}

void EffectsBuilder::callInSight(CallBase &Call, const std::string &What) {
  bool Fork = isForkCall(Call);
  const Function *Body = Fork ? forkedFunction(Call) : Call.getCalledFunction();
  constexpr PointerUse Unknown{true, true, true};
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    const Value *Arg = Call.getArgOperand(A);
    unsigned Param = Fork ? sharedParam(A) : A;
    bool Fits = Body && !Body->isDeclaration() && (!Fork || A >= FirstShared) &&
                Param < Body->arg_size();
    if (!isSharedCell(Arg)) {
      if (!mayBeLinked(Arg))
        continue; // what the body does with it is nobody's question
      bool ByValue = Fits && Body->getArg(Param)->hasByValAttr();
      given(Call, Arg,
            Fits && !ByValue ? ofArgument(*Body, Param, Fork) : Unknown, What);
      continue;
    }
    for (const User *U : Arg->users())
      if (const auto *Store = dyn_cast<StoreInst>(U);
          Store && mayBeLinked(Store->getValueOperand()))
        given(Call, Store->getValueOperand(),
              Fits ? Uses.ofVariable(*Body, Param) : Unknown, What);
  }
  for (const Use &Op : Call.operands())
    if (!Call.isArgOperand(&Op))
      refuse(Objects.resolve(Op.get()), Blocker::UnknownCall, Call, What);
}

} // namespace echo
