//===- SimpleBodies.cpp - Functions that stay calls, readable -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones and inlines, by the rules of the roots.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/SimpleBodies.h"
#include "Analysis/Api/StubArguments.h"
#include "Transform/Body/FunctionCopies.h"
#include "Transform/View/Normalize.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace echo {

/// Instructions; a larger function is not copied.
static constexpr unsigned MaxBody = 2000;

const Function *SimpleBodies::of(const Function &F) {
  auto [It, New] = Copies.try_emplace(&F, nullptr);
  if (!New)
    return It->second;
  if (isKernelStub(F) || F.isDeclaration() || F.isInterposable() ||
      F.isPresplitCoroutine() || F.getInstructionCount() > MaxBody)
    return nullptr;
  Function *Copy = copyOf(const_cast<Function &>(F), ".echo.body");
  simplifyBody(*Copy, FAM, Models, R, {&F});
  Copies[&F] = Copy;
  return Copy;
}

SimpleBodies::~SimpleBodies() {
  for (auto [F, Copy] : Copies)
    if (Copy)
      eraseCopy(*Copy, FAM);
}

} // namespace echo
