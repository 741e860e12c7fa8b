//===- ModuleTable.cpp - Hands kernels and variables to the runtime -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the EchoCpuModule that runtime/abi/CpuModule.h describes, links the
// device module into the host module, and makes clang's fat binary wrapper
// point to the table. Clang's own registration code stays as it is; the
// runtime matches names.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "Support/DeviceCode.h"
#include "runtime/abi/CpuModule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

constexpr StringLiteral TableName = "echo_cpu.module";

class TableBuilder {
public:
  explicit TableBuilder(DeviceUnit &Unit)
      : Unit(Unit), M(*Unit.Device), Context(M.getContext()),
        Ptr(PointerType::get(Context, 0)), I32(Type::getInt32Ty(Context)) {}

  /// Leaves the table in the device module as TableName.
  void run() {
    SmallVector<Constant *> Kernels, Variables;
    for (const Kernel &K : Unit.Kernels)
      Kernels.push_back(kernel(K));
    for (const DeviceVariable &V : Unit.Variables)
      Variables.push_back(variable(V));
    Constant *Table =
        record({number(ECHO_CPU_MODULE_MAGIC), number(ECHO_CPU_ABI_VERSION),
                number(Kernels.size()), number(Variables.size()),
                array("echo_cpu.kernels", Kernels),
                array("echo_cpu.variables", Variables),
                string(M.getSourceFileName())});
    global(TableName, Table)->setLinkage(GlobalValue::ExternalLinkage);
  }

private:
  Constant *number(uint64_t V) { return ConstantInt::get(I32, V); }
  Constant *null() { return ConstantPointerNull::get(Ptr); }

  Constant *record(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(Context, Fields);
  }

  GlobalVariable *global(StringRef Name, Constant *Init) {
    auto *GV = new GlobalVariable(M, Init->getType(), true,
                                  GlobalValue::PrivateLinkage, Init, Name);
    GV->setAlignment(Align(8));
    return GV;
  }

  Constant *array(StringRef Name, ArrayRef<Constant *> Elements) {
    if (Elements.empty())
      return null();
    auto *T = ArrayType::get(Elements[0]->getType(), Elements.size());
    return global(Name, ConstantArray::get(T, Elements));
  }

  Constant *string(StringRef Text) {
    return global("echo_cpu.name", ConstantDataArray::getString(Context, Text));
  }

  Constant *kernel(const Kernel &K) {
    SmallVector<Constant *> Offsets, Sizes;
    for (const KernelParam &P : K.Params) {
      Offsets.push_back(number(P.Offset));
      Sizes.push_back(number(P.Bytes));
    }
    uint32_t SharedGaps = 0;
    for (auto [Offset, Bytes] : K.SharedGaps)
      SharedGaps += Bytes;
    return record({string(K.Name), K.NeedsFibers ? null() : K.Entry,
                   K.NeedsFibers ? K.Entry : null(),
                   number((K.NeedsFibers ? ECHO_CPU_NEEDS_FIBERS : 0) |
                          K.Arch << ECHO_CPU_ARCH_SHIFT),
                   number(K.Params.size()), array("echo_cpu.offsets", Offsets),
                   array("echo_cpu.sizes", Sizes), number(K.ParamBytes),
                   number(K.StaticShared), number(K.MaxThreads),
                   number(SharedGaps)});
  }

  Constant *variable(const DeviceVariable &V) {
    uint64_t Bytes = M.getDataLayout().getTypeAllocSize(V.Var->getValueType());
    return record({string(V.Name), V.Var,
                   ConstantInt::get(Type::getInt64Ty(Context), Bytes),
                   number(V.Managed)});
  }

  DeviceUnit &Unit;
  Module &M;
  LLVMContext &Context;
  PointerType *Ptr;
  Type *I32;
};

/// Replaces what the wrapper's data field points to.
void pointWrapperTo(GlobalVariable &Wrapper, Constant &Table) {
  auto *Old = cast<ConstantStruct>(Wrapper.getInitializer());
  SmallVector<Constant *> Fields;
  for (const Use &U : Old->operands())
    Fields.push_back(cast<Constant>(U.get()));
  auto *Binary = dyn_cast<GlobalVariable>(Fields[2]->stripPointerCasts());
  Fields[2] = &Table;
  Wrapper.setInitializer(ConstantStruct::get(Old->getType(), Fields));
  if (Binary && Binary->hasLocalLinkage()) {
    Binary->removeDeadConstantUsers();
    if (Binary->use_empty())
      Binary->eraseFromParent();
  }
}

/// The record that clang gives to __cudaRegisterFatBinary, or null.
GlobalVariable *findWrapper(Module &Host) {
  GlobalVariable *Wrapper =
      Host.getGlobalVariable("__cuda_fatbin_wrapper", true);
  if (!Wrapper || !Wrapper->hasInitializer())
    return nullptr;
  auto *Init = dyn_cast<ConstantStruct>(Wrapper->getInitializer());
  return Init && Init->getNumOperands() == 4 ? Wrapper : nullptr;
}

} // namespace

bool emitModuleTable(DeviceUnit &Unit) {
  if (Unit.Failed)
    return false;
  GlobalVariable *Wrapper = findWrapper(Unit.Host);
  if (!Wrapper) {
    // Without it the host registers nothing.
    assert(Unit.Kernels.empty() && Unit.Variables.empty());
    if (!Unit.Options.RelocatableDeviceCode)
      return true;
  }
  if (Wrapper)
    TableBuilder(Unit).run();
  for (Function &F : *Unit.Device)
    if (!F.isDeclaration())
      markDeviceCode(F);
  if (Linker::linkModules(Unit.Host, std::move(Unit.Device))) {
    Unit.fail("cannot link the device code into the host code");
    return false;
  }
  if (!Wrapper)
    return true;
  GlobalVariable *Table = Unit.Host.getGlobalVariable(TableName);
  Table->setLinkage(GlobalValue::PrivateLinkage);
  Table->setDSOLocal(true);
  pointWrapperTo(*Wrapper, *Table);
  return true;
}

} // namespace echo::cpudevice
