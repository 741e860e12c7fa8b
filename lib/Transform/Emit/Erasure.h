//===- Erasure.h - Is the emitted program clang's plus echort? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what the rewrite promises: with each call of echort answered "as
// written" (null, zero), every function is what LLVM's inliner alone makes of
// clang's code. Where it is not, the compilation ends. It changes no function
// that is emitted.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_ERASURE_H
#define ECHO_TRANSFORM_EMIT_ERASURE_H

#include "Transform/Body/Body.h"
#include "llvm/ADT/MapVector.h"

namespace llvm {
class AllocaInst;
class CallInst;
} // namespace llvm

namespace echo {

/// Marks \p Slot, a variable of the rewrite's own.
void markOwnVariable(llvm::AllocaInst &Slot);

/// What clang made of the functions of a module, to see later that the making
/// of views left it alone.
class FunctionHashes {
public:
  explicit FunctionHashes(llvm::ArrayRef<llvm::Function *> Functions);
  /// Ends the process with a message if one of them was changed.
  void check() const;

private:
  llvm::MapVector<const llvm::Function *, uint64_t> Hashes;
};

class ErasureCheck {
public:
  /// True where -echo-check-erasure or ECHO_CHECK_ERASURE=1 asks for it.
  static bool isOn();
  /// Keeps what clang made of the functions of \p M, whose calls have numbers.
  ErasureCheck(llvm::Module &M, const CallNumbers &Numbers);
  ErasureCheck(const ErasureCheck &) = delete;
  ErasureCheck &operator=(const ErasureCheck &) = delete;
  ~ErasureCheck();

  /// LLVM inlined into the body of \p F what \p Steps say.
  void inlined(llvm::Function &F, const std::vector<Body::Step> &Steps);
  /// Ends the process with a message if a function of the module is not as it
  /// has to be.
  void check();

private:
  const CallNumbers &Numbers;
  llvm::MapVector<llvm::Function *, llvm::Function *> AsWritten;
};

} // namespace echo

#endif
