//===- DevicePasses.cpp - Kernel facts out of a device job ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the facts about a device module's kernels at the end of its
// optimizations, when LLVM has inferred all it can. It never changes the
// module.
//
//===----------------------------------------------------------------------===//
#include "Analysis/KernelFacts.h"
#include "Transform/Pipeline.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class WriteKernelFacts : public PassInfoMixin<WriteKernelFacts> {
public:
  WriteKernelFacts(std::string File, bool Unoptimized, bool Whole)
      : File(std::move(File)), Unoptimized(Unoptimized), Whole(Whole) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    echo::KernelFactsTable Facts =
        Unoptimized ? echo::collectKernelFactsUnoptimized(M, Whole)
                    : echo::collectKernelFacts(M, Whole);
    std::error_code EC;
    raw_fd_ostream OS(File, EC, sys::fs::OF_Text);
    if (!EC) {
      Facts.print(OS);
      OS.close();
      EC = OS.error();
      OS.clear_error();
    }
    if (EC)
      M.getContext().emitError("cannot write kernel facts '" + File +
                               "': " + EC.message());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string File;
  bool Unoptimized, Whole;
};

} // namespace

void echo::addDevicePasses(PassBuilder &PB, const std::string &FactsFile,
                           bool Unoptimized, bool Whole) {
  PB.registerOptimizerLastEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(WriteKernelFacts(FactsFile, Unoptimized, Whole));
      });
}
