//===- SharedCalls.h - One function for calls of one form -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that echort can make for the program (runtime/abi/Calls.def) becomes a
// call of echort's function. Where several other calls of a module are asked
// about in the same form, each calls one internal function, which asks and
// makes the call. A body then grows by an operand or two, not by all that is
// asked. Where one call has a form of its own, the form stands in its place.
// Which calls, and in which form, is the rewriter's decision. The program
// cannot tell: such a function does nothing but what would stand in the place
// of the call (the erasure check inlines it).
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

/// The form of a call that echort may make (runtime/abi/Calls.def).
enum class CallShape {
  DeviceMemory,
  HostMemory,
  Copy,
  StreamCopy,
  DeviceFree,
  HostFree,
  SizedFree
};

class SharedCalls {
public:
  /// Puts the form around a call. \p More: what it reads that is no operand of
  /// the call.
  using Form = std::function<void(llvm::CallBase &Call,
                                  llvm::ArrayRef<llvm::Value *> More)>;

  /// \p Call, which stays until apply(), is to have the form \p Build. \p Key
  /// names the form: calls of one function with equal keys have the same. The
  /// values \p More are known before the call. \p Fresh: only the call's user
  /// knows the memory whose address it returns, if it returns one. \p Shapes:
  /// those that the form may have, by the function that is called.
  void add(llvm::CallBase &Call, std::string Key,
           llvm::ArrayRef<llvm::Value *> More, Form Build,
           llvm::ArrayRef<CallShape> Shapes = {}, bool Fresh = false);
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
    llvm::SmallVector<CallShape, 2> Shapes = {};
  };
  /// What is called and how, and the form.
  using Key = std::tuple<llvm::Function *, llvm::FunctionType *, void *,
                         unsigned, std::string>;
  static llvm::Function *makeEntry(const Group &G);
  static llvm::Function *makeShared(const Group &G);
  static void redirect(const Group &G, llvm::Function &Shared);

  std::map<Key, unsigned> Numbers;
  std::vector<Group> Groups;
};

/// The attributes of a function of ours beside \p Like: those that say for
/// which machine, and with which checks, code is made.
llvm::AttrBuilder attributesLike(const llvm::Function &Like);

/// Puts the code of each function that calls of \p F share in their place.
void inlineSharedCalls(llvm::Function &F);

} // namespace echo

#endif
