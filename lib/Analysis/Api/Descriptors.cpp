//===- Descriptors.cpp - What a library does by its descriptors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Descriptors.h. All descriptors that may be in the variable count, at all
// times: nothing is said of the order of calls.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Descriptors.h"
#include "Analysis/Api/Models.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

/// The model of what \p Call calls, if the call has all its arguments.
static const FunctionModel *modelOf(const CallBase &Call,
                                    const ModelTable &Models) {
  const FunctionModel *M = Models.lookup(Call);
  return M && Call.arg_size() == M->Args.size() ? M : nullptr;
}

/// True if \p Call makes a descriptor and puts it into the variable that its
/// first argument points to.
static bool makesDescriptor(const CallBase &Call, const FunctionModel &M) {
  if (M.Args.empty() || M.Works != FunctionModel::NoStream ||
      llvm::any_of(M.Args, [](const ArgModel &A) {
        return A.What == ArgModel::KeepEach;
      }))
    return false;
  const ArgModel &Out = M.Args[0];
  return Out.What == ArgModel::Access && Out.Writes && !Out.Reads &&
         Out.SizeArgs.empty() && Out.SizeConst == sizeof(void *) &&
         isa<AllocaInst>(Call.getArgOperand(0));
}

/// True if the descriptor \p V is only given to calls that write nothing that
/// it keeps.
static bool onlyRead(const Value &V, const ModelTable &Models) {
  return llvm::all_of(V.uses(), [&](const Use &U) {
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call)
      return isa<ICmpInst>(U.getUser());
    const FunctionModel *M = modelOf(*Call, Models);
    return M && Call->isArgOperand(&U) &&
           M->Args[Call->getArgOperandNo(&U)].Const;
  });
}

bool keepsForReading(const CallBase &Keeping, const ModelTable &Models) {
  const FunctionModel *Made = modelOf(Keeping, Models);
  if (!Made || !makesDescriptor(Keeping, *Made))
    return false;
  const auto *Variable = cast<AllocaInst>(Keeping.getArgOperand(0));
  return llvm::all_of(Variable->uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (const auto *Load = dyn_cast<LoadInst>(By))
      return !Load->isVolatile() && Load->getType()->isPointerTy() &&
             onlyRead(*Load, Models);
    if (const auto *Store = dyn_cast<StoreInst>(By))
      return U.getOperandNo() == Store->getPointerOperandIndex() &&
             isa<ConstantPointerNull>(Store->getValueOperand());
    const auto *Call = dyn_cast<CallBase>(By);
    if (!Call || Call->isLifetimeStartOrEnd())
      return Call != nullptr;
    const FunctionModel *M = modelOf(*Call, Models);
    return M && makesDescriptor(*Call, *M) && &U == &Call->getArgOperandUse(0);
  });
}

} // namespace echo
