//===- LoadDevice.cpp - Reads the device job's bitcode --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which part of the device module matters: kernels, the variables
// that the host registers, and what they reach. Everything else goes before
// any translation, so that an unused header function can never fail a
// compilation.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "Support/OwnAnalyses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// The names that calls of \p Register pass as argument \p Arg.
StringSet<> registeredNames(Module &Host, StringRef Register, unsigned Arg) {
  StringSet<> Names;
  Function *F = Host.getFunction(Register);
  if (!F)
    return Names;
  for (User *U : F->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->arg_size() <= Arg)
      continue;
    StringRef Name;
    if (getConstantStringInfo(Call->getArgOperand(Arg), Name))
      Names.insert(Name);
  }
  return Names;
}

/// Reads __launch_bounds__ as clang writes it.
uint32_t maxThreads(const Function &F) {
  StringRef Bounds = F.getFnAttribute("nvvm.maxntid").getValueAsString();
  uint32_t Threads = 1;
  SmallVector<StringRef, 3> Dims;
  Bounds.split(Dims, ',', -1, false);
  for (StringRef Dim : Dims) {
    uint32_t Value = 0;
    if (Dim.trim().getAsInteger(10, Value))
      return 0;
    Threads *= Value;
  }
  return Dims.empty() ? 0 : Threads;
}

void removeUnreachable(Module &M) {
  OwnAnalyses Own;
  GlobalDCEPass().run(M, Own.MAM);
}

/// The names of the variables that ManagedVariables.h marked.
StringSet<> managedNames(const Module &M) {
  StringSet<> Names;
  if (const NamedMDNode *List = M.getNamedMetadata("nvvm.annotations"))
    for (const MDNode *N : List->operands()) {
      auto *Kind = dyn_cast<MDString>(N->getOperand(1));
      auto *V = mdconst::dyn_extract_or_null<GlobalVariable>(N->getOperand(0));
      if (V && Kind && Kind->getString() == "managed")
        Names.insert(V->getName());
    }
  return Names;
}

/// Lists of symbols to keep mean nothing on the host, and keep dead code.
void dropKeepLists(Module &M) {
  for (StringRef Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *GV = M.getNamedGlobal(Name))
      GV->eraseFromParent();
  if (NamedMDNode *MD = M.getNamedMetadata("nvvm.annotations"))
    MD->eraseFromParent();
}

/// Variables of other files get the device prefix as their definitions do.
bool nameExternalVariables(DeviceUnit &Unit) {
  for (GlobalVariable &GV : Unit.Device->globals()) {
    const unsigned Space = GV.getAddressSpace();
    if (!GV.isDeclaration() || GV.hasExternalWeakLinkage() ||
        (Space != 1 && Space != 4))
      continue;
    if (!Unit.Options.RelocatableDeviceCode)
      Unit.fail("device variable '" + demangle(GV.getName()) +
                "' has no definition; define it in this file or compile with "
                "-fgpu-rdc");
    GV.setName(DevicePrefix + GV.getName());
  }
  return !Unit.Failed;
}

} // namespace

bool loadDevice(DeviceUnit &Unit) {
  const CpuDeviceOptions &Options = Unit.Options;
  LLVMContext &Context = Unit.Host.getContext();
  SMDiagnostic Error;
  Unit.Device = parseIRFile(Options.DeviceBitcode, Error, Context);
  if (!Unit.Device) {
    Unit.fail("cannot read the device code '" + Options.DeviceBitcode +
              "': " + Error.getMessage());
    return false;
  }
  Unit.Library = getLazyIRFileModule(Options.DeviceLibrary, Error, Context);
  if (!Unit.Library) {
    Unit.fail("cannot read the device library '" + Options.DeviceLibrary +
              "': " + Error.getMessage() + "; reinstall Echo");
    return false;
  }
  Module &M = *Unit.Device;
  if (!M.getTargetTriple().isNVPTX()) {
    Unit.fail("'" + Options.DeviceBitcode + "' holds no device code");
    return false;
  }
  StringSet<> Managed = managedNames(M);
  dropKeepLists(M);
  StringSet<> Registered = registeredNames(Unit.Host, "__cudaRegisterVar", 3);
  for (GlobalVariable &GV : M.globals()) {
    if (GV.isDeclaration())
      continue;
    // Clang also registers shared variables that say __device__, too.
    if (Registered.contains(GV.getName()) && GV.getAddressSpace() != 3)
      Unit.Variables.push_back(
          {GV.getName().str(), &GV, Managed.contains(GV.getName())});
    else if (!Options.RelocatableDeviceCode) {
      GV.setComdat(nullptr);
      GV.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  // Nobody can launch a kernel that the host does not register: static ones
  // that it never names.
  StringSet<> Launched =
      registeredNames(Unit.Host, "__cudaRegisterFunction", 3);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    bool IsKernel = F.getCallingConv() == CallingConv::PTX_Kernel;
    if (IsKernel && Launched.contains(F.getName())) {
      Kernel K;
      K.Name = F.getName().str();
      K.Body = &F;
      K.MaxThreads = maxThreads(F);
      Unit.Kernels.push_back(std::move(K));
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::ExternalLinkage);
    } else if (IsKernel || !Options.RelocatableDeviceCode) {
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  removeUnreachable(M);
  return nameExternalVariables(Unit);
}

Function *DeviceUnit::devlibFunction(StringRef Name) {
  Function *F = Library->getFunction(Name);
  if (!F || (F->isDeclaration() && !F->isMaterializable()))
    return nullptr;
  return cast<Function>(
      Device->getOrInsertFunction(Name, F->getFunctionType(), {}).getCallee());
}

} // namespace echo::cpudevice
