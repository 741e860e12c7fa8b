//===- Inline.cpp - Puts device functions into their kernels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose callees are part of it needs no thread-local state and can be
// vectorized, so device functions are inlined more eagerly than the host's
// optimizer would. Functions marked noinline and recursion stay calls. Nothing
// is inlined at -O0.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "Support/OwnAnalyses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// A kernel that has grown to this many instructions keeps its other calls.
constexpr unsigned MaxKernelSize = 20000;

/// Inlines into one function, depth first, with a history against recursion.
class Inliner {
public:
  explicit Inliner(Function &F) : F(F), Size(F.getInstructionCount()) {}

  void run() {
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Work.push_back({Call, -1});
    while (!Work.empty() && Size < MaxKernelSize) {
      auto [Call, From] = Work.pop_back_val();
      Function *Callee = Call->getCalledFunction();
      if (!Callee || !mayInline(*Callee, From))
        continue;
      InlineFunctionInfo Info;
      if (!InlineFunction(*Call, Info).isSuccess())
        continue;
      Size += Callee->getInstructionCount();
      History.push_back({Callee, From});
      for (CallBase *New : Info.InlinedCallSites)
        Work.push_back({New, int(History.size()) - 1});
    }
  }

private:
  bool mayInline(Function &Callee, int From) const {
    if (Callee.isDeclaration() || &Callee == &F || Callee.isVarArg() ||
        Callee.hasFnAttribute(Attribute::NoInline) ||
        Callee.hasFnAttribute(Attribute::OptimizeNone))
      return false;
    for (int I = From; I >= 0; I = History[I].second)
      if (History[I].first == &Callee)
        return false;
    return true;
  }

  Function &F;
  unsigned Size;
  SmallVector<std::pair<CallBase *, int>> Work;
  SmallVector<std::pair<Function *, int>> History;
};

} // namespace

void inlineIntoKernels(DeviceUnit &Unit) {
  if (!Unit.Options.Optimize)
    return;
  for (Kernel &K : Unit.Kernels)
    if (!K.Body->hasFnAttribute(Attribute::OptimizeNone))
      Inliner(*K.Body).run();

  OwnAnalyses Own;
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(SimplifyCFGPass());
  Simplify.addPass(InstCombinePass());
  Simplify.addPass(SimplifyCFGPass());
  for (Kernel &K : Unit.Kernels)
    if (!K.Body->hasFnAttribute(Attribute::OptimizeNone))
      Simplify.run(*K.Body, Own.FAM);
}

} // namespace echo::cpudevice
