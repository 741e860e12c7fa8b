//===- Body.h - What of a function is emitted -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a function is the code that clang made, in which only LLVM's
// inliner has worked, and that only on the paths to calls that a decision
// names. Decisions are made on views of the function (Normalize.h), which are
// thrown away. Here the calls of a body are found by their paths. Nothing that
// the view's transforms did may reach a body.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_BODY_BODY_H
#define ECHO_TRANSFORM_BODY_BODY_H

#include "Transform/Body/CallPaths.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/ValueHandle.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace echo {

class Body {
public:
  /// The code that a function had when its calls were numbered; null if it has
  /// been changed since.
  using Source = std::function<llvm::Function *(llvm::Function &)>;
  /// \p F: the function, with the code of clang.
  Body(llvm::Function &F, const CallNumbers &Numbers, Source CodeOf);

  llvm::Function &function() { return F; }
  /// The call at \p Path. What calls it is inlined for that, as far as it was
  /// not yet. Null if LLVM cannot inline something on the path, or found that
  /// the call never runs.
  llvm::CallBase *at(llvm::StringRef Path);
  /// Lets LLVM inline \p Callee at the call with path \p Path, whose pointer
  /// may be one to it. False if it cannot, or has.
  bool inlineAt(llvm::StringRef Path, llvm::Function &Callee);
  /// What was inlined, in order.
  struct Step {
    std::string Path;
    llvm::Function *Callee;
    bool operator==(const Step &) const = default;
  };
  const std::vector<Step> &inlined() const { return Inlined; }

private:
  llvm::Function &F;
  const CallNumbers &Numbers;
  Source CodeOf;
  llvm::StringMap<llvm::WeakTrackingVH> Calls; ///< by path
  std::vector<Step> Inlined;
  uint64_t Frame = 0;         ///< bytes of the variables of what was inlined
  std::optional<bool> Recurs; ///< may run again before it returns
};

/// Attribute of a view: clang was told not to optimize its function.
inline constexpr llvm::StringLiteral WasOptNone = "echo.optnone";

/// True if LLVM may put the body of \p Callee in the place of \p Call: it is
/// the one that runs, and its code means the same inside the caller.
bool mayInline(const llvm::CallBase &Call, llvm::Function &Callee);
/// The part of the answer that is the same for all calls of \p Callee: all its
/// code is looked at.
bool mayBeInlined(llvm::Function &Callee);
/// The other part.
bool mayInlineAt(const llvm::CallBase &Call, const llvm::Function &Callee);

/// True if \p Call passes what \p F takes, though its own type may say less: C
/// allows a declaration without parameters.
bool passesAll(const llvm::CallBase &Call, const llvm::Function &F);

} // namespace echo

#endif
