//===- Diagnostics.cpp - What the CPU device cannot run -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports unsupported device code as compiler errors: what, in which function,
// reached from which kernel, and what to do. The place is the debug location
// where there is one. Decides nothing else.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

std::string userName(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_front(DevicePrefix);
  return demangle(Name);
}

/// True if \p From calls or names \p To, directly or not.
bool reaches(const Function &From, const Function &To) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *> Work = {&From};
  auto Push = [&](const Value *V) {
    if (isa<Function>(V) || (isa<Constant>(V) && V->hasUseList()))
      if (Seen.insert(V).second)
        Work.push_back(V);
  };
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (V == &To)
      return true;
    if (auto *F = dyn_cast<Function>(V)) {
      for (const Instruction &I : instructions(F))
        for (const Value *Op : I.operands())
          Push(Op);
    } else if (auto *U = dyn_cast<User>(V)) {
      for (const Value *Op : U->operands())
        Push(Op);
    }
  }
  return false;
}

} // namespace

void DeviceUnit::unsupported(const Instruction &At, const Twine &What,
                             const Twine &Remedy) {
  Failed = true;
  const Function &F = *At.getFunction();
  std::string Place;
  for (const Kernel &K : Kernels) {
    if (K.Body == &F)
      Place = "kernel '" + userName(F) + "'";
    else if (reaches(*K.Body, F))
      Place = "device function '" + userName(F) + "', which kernel '" +
              userName(*K.Body) + "' uses,";
    if (!Place.empty())
      break;
  }
  if (Place.empty())
    Place = "device function '" + userName(F) + "'";
  // Inlining and loops multiply calls; once per function is enough.
  const std::string Text =
      (What + " in " + Place + " is not supported on the CPU device; " + Remedy)
          .str();
  if (Reported.insert(Text).second)
    Host.getContext().diagnose(
        DiagnosticInfoUnsupported(F, Text, At.getDebugLoc(), DS_Error));
}

void DeviceUnit::fail(const Twine &Message) {
  Failed = true;
  Host.getContext().emitError(Message);
}

} // namespace echo::cpudevice
