//===- CpuDevice.cpp - Takes the kernels into the host module -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders the steps of --device=cpu. Runs once, at the start of the host
// pipeline, so that the host's optimizer sees kernels as any other function.
// A module without CUDA registration is left as it is. On an error nothing is
// linked and the diagnostic handler has been told.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace echo {
namespace cpudevice {

FunctionCallee DeviceUnit::service(StringRef Name, Type *Result,
                                   ArrayRef<Type *> Params) {
  return Device->getOrInsertFunction(Name,
                                     FunctionType::get(Result, Params, false));
}

} // namespace cpudevice

namespace {

using namespace cpudevice;

/// Module pass of the host job.
struct CpuDevicePass : PassInfoMixin<CpuDevicePass> {
  explicit CpuDevicePass(CpuDeviceOptions Options)
      : Options(std::move(Options)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    DeviceUnit Unit(M, Options);
    if (!loadDevice(Unit))
      return PreservedAnalyses::all();
    SmallVector<WeakTrackingVH> Shared;
    for (GlobalVariable &GV : Unit.Device->globals())
      if (GV.getAddressSpace() == 3)
        Shared.push_back(&GV);
    eraseAddressSpaces(*Unit.Device);
    retarget(Unit);
    lowerIntrinsics(Unit);
    saturateConversions(Unit);
    checkUndefined(Unit);
    if (Unit.Failed || !linkLibrary(Unit))
      return PreservedAnalyses::all();
    inlineIntoKernels(Unit);
    placeSharedMemory(Unit, Shared);
    classifyKernels(Unit);
    bindThreadContext(Unit);
    buildEntries(Unit);
    prepareForSanitizers(Unit);
    emitModuleTable(Unit);
    return PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

  CpuDeviceOptions Options;
};

} // namespace

void addCpuDevicePasses(PassBuilder &PB, const CpuDeviceOptions &Options) {
  if (Options.Sanitize.Thread)
    addDropFramesPass(PB);
  PB.registerPipelineStartEPCallback(
      [Options](ModulePassManager &PM, OptimizationLevel) {
        PM.addPass(CpuDevicePass(Options));
      });
}

} // namespace echo
