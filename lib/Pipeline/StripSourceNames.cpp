//===- StripSourceNames.cpp - A module as clang alone would have it -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of values and locations cost LLVM's passes time and memory. Clang makes
// neither unless it was asked to; Echo asks for its reports alone.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/Pipeline.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace echo {

namespace {
class StripSourceNames : public PassInfoMixin<StripSourceNames> {
public:
  StripSourceNames(bool Names, bool Locations)
      : Names(Names), Locations(Locations) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Locations)
      StripDebugInfo(M);
    if (Names)
      dropNames(M);
    // Nothing that an analysis looks at.
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  static void dropNames(Module &M);

  bool Names, Locations;
};
} // namespace

void StripSourceNames::dropNames(Module &M) {
  for (Function &F : M) {
    for (Argument &A : F.args())
      A.setName("");
    for (BasicBlock &BB : F)
      BB.setName("");
    for (Instruction &I : instructions(F))
      I.setName("");
  }
  M.getContext().setDiscardValueNames(true);
}

void addStripSourceNames(PassBuilder &PB, bool Names, bool Locations) {
  PB.registerPipelineStartEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(StripSourceNames(Names, Locations));
      });
}

} // namespace echo
