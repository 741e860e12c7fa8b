//===- SharedCalls.h - One function for calls of one form -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several calls of a module are asked about in the same form, each calls
// one internal function, which asks and makes the call: a body then grows by an
// operand or two, not by all that is asked. Where one call has a form of its
// own, the form stands in its place. Which calls, and in which form, is the
// rewriter's decision. The program cannot tell: the function does nothing but
// what would stand in the place of the call (the erasure check inlines it).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_SHAREDCALLS_H
#define ECHO_TRANSFORM_EMIT_SHAREDCALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace echo {

class SharedCalls {
public:
  /// Puts the form around a call. \p More: what it reads that is no operand of
  /// the call.
  using Form = std::function<void(llvm::CallBase &Call,
                                  llvm::ArrayRef<llvm::Value *> More)>;

  /// \p Call, which stays until apply(), is to have the form \p Build. \p Key
  /// names the form: calls of one function with equal keys have the same. The
  /// values \p More are known before the call. \p Fresh: only the call's user
  /// knows the memory whose address it returns, if it returns one.
  void add(llvm::CallBase &Call, std::string Key,
           llvm::ArrayRef<llvm::Value *> More, Form Build, bool Fresh = false);
  /// The same of a form that no other call has.
  void addAlone(llvm::CallBase &Call, Form Build);
  /// Builds all forms.
  void apply();

private:
  struct Site {
    llvm::CallBase *Call;
    llvm::SmallVector<llvm::Value *, 2> More;
  };
  struct Group {
    Form Build;
    bool Fresh;
    llvm::SmallVector<Site, 4> Sites;
  };
  /// What is called and how, and the form.
  using Key = std::tuple<llvm::Function *, llvm::FunctionType *, void *,
                         unsigned, std::string>;
  static void share(const Group &G);

  std::map<Key, unsigned> Numbers;
  std::vector<Group> Groups;
};

/// Puts the code of each function that calls of \p F share in their place.
void inlineSharedCalls(llvm::Function &F);

} // namespace echo

#endif
