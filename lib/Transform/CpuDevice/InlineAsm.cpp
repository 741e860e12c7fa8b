//===- InlineAsm.cpp - Inline PTX -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stub until the translator is in place.
//
//===----------------------------------------------------------------------===//
#include "llvm/IR/InlineAsm.h"
#include "DeviceUnit.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {
bool lowerInlineAsm(DeviceUnit &Unit, CallBase &Call) {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  Unit.unsupported(Call, "the inline PTX \"" + Asm->getAsmString() + "\"",
                   "write it with CUDA's functions, or compile with "
                   "--device=cuda");
  return false;
}
} // namespace echo::cpudevice
