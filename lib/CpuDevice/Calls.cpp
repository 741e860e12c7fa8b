//===- Calls.cpp - Every call that leaves device code ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends each call to the lowering that knows it, then decides what a
// declaration that is left means: a function of cpu_devlib, one of another
// file (relocatable device code), or an error. A device function must never
// bind to a host function of the same name.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {

void lowerIntrinsics(DeviceUnit &Unit) {
  for (Function &F : *Unit.Device) {
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls.push_back(Call);
    for (CallBase *Call : Calls)
      if (Call->isInlineAsm())
        lowerInlineAsm(Unit, *Call);
      else
        lowerCall(Unit, *Call);
  }
}

void checkUndefined(DeviceUnit &Unit) {
  for (Function &F : make_early_inc_range(*Unit.Device)) {
    if (!F.isDeclaration() || F.isIntrinsic() || F.use_empty() ||
        F.getName().starts_with("echo_cpu") ||
        F.getName().starts_with("__ubsan_handle_"))
      continue;
    if (Unit.devlibFunction(F.getName()))
      continue;
    if (Unit.Options.RelocatableDeviceCode &&
        !F.getName().starts_with("cuda")) {
      F.setName(DevicePrefix + F.getName());
      continue;
    }
    const Instruction *At = nullptr;
    for (const User *U : F.users())
      if (auto *I = dyn_cast<Instruction>(U))
        At = I;
    if (!At) {
      Unit.fail("device function '" + demangle(F.getName()) +
                "' has no definition; define it in this file or compile "
                "with -fgpu-rdc");
      continue;
    }
    if (F.getName().starts_with("cuda"))
      Unit.unsupported(*At, "a call of '" + demangle(F.getName()) + "'",
                       "call it from the host");
    else
      Unit.unsupported(*At,
                       "a call of '" + demangle(F.getName()) +
                           "', which this file does not define,",
                       "define it in this file or compile with -fgpu-rdc");
  }
}

} // namespace echo::cpudevice
