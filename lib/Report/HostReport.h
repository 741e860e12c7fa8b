//===- HostReport.h - What one module's report says -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the decisions about a module's functions together: a pair that several
// functions see is listed once, by the function that knows most of it. It
// decides nothing about pairs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_HOSTREPORT_H
#define ECHO_REPORT_HOSTREPORT_H

#include "Support/Verdict.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class FunctionDecision;

/// Leaves the advice to link with -flto out of \p Unit, which such a link made.
void leaveOutLinking(UnitReport &Unit);

/// \p Advice without the alternative to compile with -flto.
std::string withoutLinking(llvm::StringRef Advice);

class HostReport {
public:
  /// Adds what \p D says of \p Root. \p Fits: all that carries buffers was
  /// inlined into its view.
  void add(llvm::Function &Root, const FunctionDecision &D, bool Fits);
  /// The whole. \p Order: all roots, callees first; \p Rewritten: those in
  /// which pairs merge; \p Running: the functions that run by themselves, not
  /// only where views inlined them.
  UnitReport take(llvm::ArrayRef<llvm::Function *> Order,
                  llvm::ArrayRef<llvm::Function *> Rewritten,
                  const llvm::DenseSet<const llvm::Function *> &Running);

private:
  void dropHiddenInSight(const llvm::DenseSet<const llvm::Function *> &Running);
  void dropMergedInCallees(llvm::ArrayRef<llvm::Function *> Order,
                           llvm::ArrayRef<llvm::Function *> Rewritten);
  void addNew(UnitReport &Unit, UnitReport Root);

  std::map<llvm::Function *, UnitReport> Found;
  std::set<std::string> Reported;
};

} // namespace echo

#endif
