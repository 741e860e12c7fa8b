//===- DeviceCode.cpp - Code of the device in a host module ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/DeviceCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace echo {

static constexpr StringRef DeviceName = "echo-device";

void markDeviceCode(Function &F) { F.addFnAttr(DeviceName); }

bool isDeviceCode(const Function &F) { return F.hasFnAttribute(DeviceName); }

bool hasHostUse(const GlobalValue &V) {
  return any_of(V.users(), [](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return !I || !isDeviceCode(*I->getFunction());
  });
}

} // namespace echo
