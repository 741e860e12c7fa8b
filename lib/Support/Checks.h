//===- Checks.h - Rules that a test can turn off ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The switches of Checks.def. Only the test plugin for opt and echo-cc-mutant
// turn a rule off, to show that the generated programs would find out that it
// is missing. In the product every rule is on: no option and no environment
// variable leads here.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_CHECKS_H
#define ECHO_SUPPORT_CHECKS_H

#include "Support/Verdict.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace echo {

enum class Check : unsigned {
#define CHECK(Enum, Id, Condition, Text) Enum,
#include "Support/Checks.def"
};

/// One row of Checks.def.
struct CheckInfo {
  Check Which;
  const char *Id;
  const char *Condition;
  const char *Text;
};

llvm::ArrayRef<CheckInfo> allChecks();
/// The check called \p Id, or nothing.
std::optional<Check> findCheck(llvm::StringRef Id);

/// Turns \p C off for the rest of the process. Tests only.
void turnOffForTest(Check C);

namespace detail {
extern bool SomeCheckIsOff;
bool isOffNow(Check C);
bool isOffNow(Blocker B);
bool closesLoop(const llvm::BasicBlock *From, const llvm::BasicBlock *To);
} // namespace detail

/// True in a test that has turned \p C off.
inline bool isOff(Check C) {
  return detail::SomeCheckIsOff && detail::isOffNow(C);
}
/// True if the check with the id of reason \p B is off.
inline bool isOff(Blocker B) {
  return detail::SomeCheckIsOff && detail::isOffNow(B);
}
/// True if \p C, a rule about what loops carry around, is off and the edge
/// leads back to the start of a loop.
inline bool isOff(Check C, const llvm::BasicBlock *From,
                  const llvm::BasicBlock *To) {
  return isOff(C) && detail::closesLoop(From, To);
}

} // namespace echo

#endif
