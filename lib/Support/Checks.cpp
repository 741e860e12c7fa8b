//===- Checks.cpp - Rules that a test can turn off ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands Checks.def. The state is one bit a check.
//
//===----------------------------------------------------------------------===//
#include "Support/Checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Function.h"
#include <bitset>

using namespace llvm;

namespace echo {

static constexpr CheckInfo Table[] = {
#define CHECK(Enum, Id, Condition, Text) {Check::Enum, Id, Condition, Text},
#include "Support/Checks.def"
};

static std::bitset<std::size(Table)> Off;
bool detail::SomeCheckIsOff = false;

ArrayRef<CheckInfo> allChecks() { return Table; }

std::optional<Check> findCheck(StringRef Id) {
  for (const CheckInfo &Info : Table)
    if (Id == Info.Id)
      return Info.Which;
  return std::nullopt;
}

void turnOffForTest(Check C) {
  detail::SomeCheckIsOff = true;
  Off.set(static_cast<unsigned>(C));
}

bool detail::isOffNow(Check C) { return Off[static_cast<unsigned>(C)]; }

bool detail::isOffNow(Blocker B) {
  std::optional<Check> C = findCheck(blockerInfo(B).Id);
  return C && isOffNow(*C);
}

bool detail::closesLoop(const BasicBlock *From, const BasicBlock *To) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> Edges;
  FindFunctionBackedges(*From->getParent(), Edges);
  return is_contained(Edges, std::pair(From, To));
}

} // namespace echo
