//===- Retarget.cpp - Makes a device module one of the host ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what of the device module's description the host can keep: triple,
// data layout and target attributes come from the host module; facts that the
// device's optimizer proved under the device's rules (memory effects of
// functions that read threadIdx, convergence) are dropped, the host's
// optimizer proves them again. Device symbols get a prefix, so that host
// versions of __host__ __device__ functions do not clash.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// Attributes that name the target, from a function of the host module.
AttrBuilder targetAttributes(const Module &Host) {
  AttrBuilder Result(Host.getContext());
  for (const Function &F : Host) {
    if (F.isDeclaration())
      continue;
    for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                           "frame-pointer", "no-trapping-math"})
      if (Attribute A = F.getFnAttribute(Name); A.isValid())
        Result.addAttribute(A);
    if (F.getUWTableKind() != UWTableKind::None)
      Result.addUWTableAttr(F.getUWTableKind());
    if (F.hasFnAttribute("target-cpu"))
      break;
  }
  return Result;
}

/// Attributes that are wrong on the host.
AttributeMask deviceAttributes() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::Convergent, Attribute::Memory, Attribute::NoSync,
        Attribute::Speculatable, Attribute::NoRecurse, Attribute::WillReturn,
        Attribute::NoFree, Attribute::StackProtect,
        Attribute::StackProtectStrong, Attribute::StackProtectReq})
    Mask.addAttribute(Kind);
  for (StringRef Name :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
        "uniform-work-group-size", "stack-protector-buffer-size",
        "nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm", "nvvm.maxnreg",
        "nvvm.cluster_dim", "nvvm.maxclusterrank", "nvvm.blocksareclusters"})
    Mask.addAttribute(Name);
  return Mask;
}

/// The device's optimizer has tried what `#pragma unroll` asks for; asking the
/// host's again would only warn where that was impossible.
void dropUnrollHints(Instruction &I) {
  MDNode *Loop = I.getMetadata(LLVMContext::MD_loop);
  if (!Loop)
    return;
  for (const MDOperand &Op : drop_begin(Loop->operands()))
    if (auto *Hint = dyn_cast<MDNode>(Op))
      if (auto *Name = Hint->getNumOperands()
                           ? dyn_cast<MDString>(Hint->getOperand(0))
                           : nullptr)
        if (Name->getString().starts_with("llvm.loop.unroll.")) {
          I.setMetadata(LLVMContext::MD_loop, nullptr);
          return;
        }
}

void retargetBody(Function &F, const AttributeMask &Drop) {
  for (Instruction &I : instructions(F)) {
    dropUnrollHints(I);
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      if (!Callee || !Callee->isIntrinsic()) {
        Call->setAttributes(
            Call->getAttributes().removeFnAttributes(F.getContext(), Drop));
        Call->setCallingConv(CallingConv::C);
      }
    }
    // Scopes name sets of GPU threads; on the host there is one.
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      RMW->setSyncScopeID(SyncScope::System);
    else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
      CAS->setSyncScopeID(SyncScope::System);
    else if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setSyncScopeID(SyncScope::System);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Store->setSyncScopeID(SyncScope::System);
    else if (auto *Fence = dyn_cast<FenceInst>(&I))
      Fence->setSyncScopeID(SyncScope::System);
  }
}

/// Nobody reads the objects threadIdx and the like, but checks of sanitizers
/// ask whether their addresses are null.
void defineBuiltin(GlobalVariable &GV) {
  if (!GV.hasExternalWeakLinkage() || !GV.getValueType()->isSized() ||
      !is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"},
                    GV.getName()))
    return;
  GV.setInitializer(Constant::getNullValue(GV.getValueType()));
  GV.setLinkage(GlobalValue::InternalLinkage);
}

void retargetGlobal(GlobalVariable &GV) {
  defineBuiltin(GV);
  GV.setDSOLocal(GV.hasLocalLinkage());
  if (!GV.isExternallyInitialized())
    return;
  // __constant__ and __device__: the host writes them through the runtime.
  GV.setExternallyInitialized(false);
  GV.setConstant(false);
  GV.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  // Its location names a GPU address space.
  GV.eraseMetadata(LLVMContext::MD_dbg);
}

void addPrefix(Module &M, GlobalValue &GV, bool Relocatable) {
  std::string Name = (DevicePrefix + GV.getName()).str();
  if (auto *Object = dyn_cast<GlobalObject>(&GV))
    if (const Comdat *Old = Object->getComdat(); Old && Relocatable) {
      Comdat *New = M.getOrInsertComdat((DevicePrefix + Old->getName()).str());
      New->setSelectionKind(Old->getSelectionKind());
      Object->setComdat(New);
    }
  GV.setName(Name);
}

} // namespace

void retarget(DeviceUnit &Unit) {
  Module &M = *Unit.Device;
  const bool Relocatable = Unit.Options.RelocatableDeviceCode;
  for (Kernel &K : Unit.Kernels) {
    K.Body = M.getFunction(K.Name);
    StringRef Cpu = K.Body->getFnAttribute("target-cpu").getValueAsString();
    if (!Cpu.consume_front("sm_") || Cpu.consumeInteger(10, K.Arch))
      K.Arch = 0;
  }
  for (DeviceVariable &V : Unit.Variables)
    V.Var = M.getNamedGlobal(V.Name);
  M.setTargetTriple(Unit.Host.getTargetTriple());
  M.setDataLayout(Unit.Host.getDataLayout());
  Unit.Library->setTargetTriple(Unit.Host.getTargetTriple());
  Unit.Library->setDataLayout(Unit.Host.getDataLayout());
  // The host's flags hold for the linked module.
  if (NamedMDNode *Flags = M.getModuleFlagsMetadata()) {
    Flags->eraseFromParent();
    if (M.debug_compile_units_begin() != M.debug_compile_units_end())
      M.addModuleFlag(Module::Warning, "Debug Info Version",
                      DEBUG_METADATA_VERSION);
  }
  if (NamedMDNode *Ident = M.getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();

  const AttrBuilder Target = targetAttributes(Unit.Host);
  const AttributeMask Drop = deviceAttributes();
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.removeFnAttrs(Drop);
    F.setCallingConv(CallingConv::C);
    if (F.isDeclaration())
      continue;
    F.addFnAttrs(Target);
    addSanitizerAttributes(F, Unit.Options.Sanitize);
    F.setDSOLocal(F.hasLocalLinkage());
    retargetBody(F, Drop);
    addPrefix(M, F, Relocatable);
  }
  for (GlobalVariable &GV : M.globals()) {
    retargetGlobal(GV);
    if (GV.hasName() && !GV.hasPrivateLinkage() && !GV.isDeclaration())
      addPrefix(M, GV, Relocatable);
  }
  for (Kernel &K : Unit.Kernels) {
    K.Body->removeFnAttr(Attribute::NoInline);
    if (!Unit.Options.Optimize)
      K.Body->addFnAttr(Attribute::NoInline);
    K.Body->setLinkage(GlobalValue::InternalLinkage);
    K.Body->setDSOLocal(true);
  }
  if (!Relocatable)
    for (DeviceVariable &V : Unit.Variables) {
      V.Var->setLinkage(GlobalValue::InternalLinkage);
      V.Var->setDSOLocal(true);
    }
}

bool linkLibrary(DeviceUnit &Unit) {
  const AttrBuilder Target = targetAttributes(Unit.Host);
  AttributeMask Drop;
  for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                         "frame-pointer", "no-trapping-math"})
    Drop.addAttribute(Name);
  StringSet<> Before;
  for (Function &F : *Unit.Device)
    if (!F.isDeclaration())
      Before.insert(F.getName());
  if (Error E = Unit.Library->materializeAll()) {
    Unit.fail("cannot read the device library: " + toString(std::move(E)));
    return false;
  }
  if (NamedMDNode *Flags = Unit.Library->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  if (NamedMDNode *Ident = Unit.Library->getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  if (Linker::linkModules(*Unit.Device, std::move(Unit.Library),
                          Linker::LinkOnlyNeeded)) {
    Unit.fail("cannot link the device library");
    return false;
  }
  for (Function &F : *Unit.Device) {
    if (F.isDeclaration() || Before.contains(F.getName()))
      continue;
    F.removeFnAttrs(Drop);
    F.addFnAttrs(Target);
    addSanitizerAttributes(F, Unit.Options.Sanitize);
    F.setComdat(nullptr);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setDSOLocal(true);
  }
  return true;
}

} // namespace echo::cpudevice
