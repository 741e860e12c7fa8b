//===- DevicePasses.cpp - What Echo does in a device job ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the facts about a device module's kernels at the end of its
// optimizations, when LLVM has inferred all it can. It changes the module only
// where nvcc's device code is another: a pure virtual function's stand-in and
// C's functions on bytes get a body, constants that nothing uses leave a
// constant memory that is full, and kernels of other files are declared as
// kernels.
//
//===----------------------------------------------------------------------===//
#include "Transform/Device/DevicePasses.h"
#include "Analysis/Kernels/FunctionFacts.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Transform/Device/ConstantSpace.h"
#include "Transform/Device/DeviceStrings.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class WriteKernelFacts : public PassInfoMixin<WriteKernelFacts> {
public:
  using Table = std::shared_ptr<echo::KernelFactsTable>;
  WriteKernelFacts(std::string File, bool Unoptimized, bool Whole, Table Shared)
      : File(std::move(File)), Unoptimized(Unoptimized), Whole(Whole),
        Shared(std::move(Shared)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    TimeTraceScope Scope("EchoKernelFacts"); // -ftime-trace
    echo::KernelFactsTable Facts =
        Unoptimized ? echo::collectKernelFactsUnoptimized(M, Whole)
                    : echo::collectKernelFacts(M, Whole);
    Facts.merge(*Shared);
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
  Table Shared; ///< what holds for other units' copies, too
};

/// Before anything is optimized.
class FindSharedFacts : public PassInfoMixin<FindSharedFacts> {
public:
  FindSharedFacts(bool Whole, std::shared_ptr<echo::KernelFactsTable> Shared)
      : Whole(Whole), Shared(std::move(Shared)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    TimeTraceScope Scope("EchoSharedFacts");
    Shared->merge(echo::collectSharedKernelFacts(M, Whole));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  bool Whole;
  std::shared_ptr<echo::KernelFactsTable> Shared;
};

/// Tables of virtual functions name it where a function is pure.
class DefinePureVirtual : public PassInfoMixin<DefinePureVirtual> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Function *F = M.getFunction("__cxa_pure_virtual");
    if (!F || !F->isDeclaration() || !M.getTargetTriple().isNVPTX())
      return PreservedAnalyses::all();
    F->setLinkage(GlobalValue::WeakODRLinkage);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
    B.CreateIntrinsic(Intrinsic::trap, {});
    B.CreateUnreachable();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class DefineStringFunctions : public PassInfoMixin<DefineStringFunctions> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return echo::defineStringFunctions(M) ? PreservedAnalyses::none()
                                          : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

class MoveUnusedConstants : public PassInfoMixin<MoveUnusedConstants> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return M.getTargetTriple().isNVPTX() && echo::moveUnusedConstants(M)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Clang declares a kernel of another file as it declares a function, which
/// nvlink refuses. The kernels are those that the host uses, and what device
/// code launches.
class DeclareKernels : public PassInfoMixin<DeclareKernels> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!M.getTargetTriple().isNVPTX())
      return PreservedAnalyses::all();
    if (auto *Used = M.getNamedGlobal("__clang_gpu_used_external");
        Used && Used->hasInitializer())
      for (const Use &U : Used->getInitializer()->operands())
        declare(U);
    for (Function &F : M)
      if (F.getName().starts_with("__cudaCDP2LaunchDevice") ||
          F.getName().starts_with("cudaLaunchDevice"))
        for (User *U : F.users())
          if (auto *Call = dyn_cast<CallBase>(U); Call && Call->arg_size())
            declare(Call->getArgOperand(0));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  static void declare(Value *V) {
    auto *F = dyn_cast<Function>(V->stripPointerCasts());
    auto IsCall = [&](const User *U) {
      const auto *Call = dyn_cast<CallBase>(U);
      return Call && Call->getCalledOperand() == F;
    };
    if (F && F->isDeclaration() && none_of(F->users(), IsCall))
      F->setCallingConv(CallingConv::PTX_Kernel);
  }
};

} // namespace

void echo::addDevicePasses(PassBuilder &PB, const std::string &FactsFile,
                           bool Unoptimized, bool Whole) {
  // First, so that the facts of kernels know what the loops do.
  auto Shared = std::make_shared<echo::KernelFactsTable>();
  PB.registerPipelineStartEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(DefineStringFunctions());
        // Else the facts of what runs hold for other units' copies as well.
        if (Level != OptimizationLevel::O0)
          MPM.addPass(FindSharedFacts(Whole, Shared));
      });
  PB.registerOptimizerLastEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(DefinePureVirtual());
        MPM.addPass(MoveUnusedConstants());
        MPM.addPass(WriteKernelFacts(FactsFile, Unoptimized, Whole, Shared));
        MPM.addPass(DeclareKernels());
      });
}
