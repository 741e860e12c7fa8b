//===- CallPaths.h - Identities of calls ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every call of the module gets a number. A call that is inlined gets the path
// of numbers that leads to it: "12/7" is call 7 in what call 12 calls. Clones
// and LLVM's passes keep it, so that a decision about a view of a function can
// name the calls of the function itself. A call that some transform made anew
// has no path, and nothing may be decided about it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_BODY_CALLPATHS_H
#define ECHO_TRANSFORM_BODY_CALLPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace echo {

/// The path of \p Call; empty if it has none.
llvm::StringRef callPath(const llvm::CallBase &Call);
/// Gives \p Call the path of \p Other, whose place it takes in a view.
void takeCallPath(llvm::CallBase &Call, const llvm::CallBase &Other);
/// The calls \p Inlined came into a function where a call with path \p Path
/// was. Their paths become those through it; or none, if it had none.
void extendCallPaths(llvm::StringRef Path,
                     llvm::ArrayRef<llvm::CallBase *> Inlined);
/// Removes the paths of the calls of \p F.
void dropCallPaths(llvm::Function &F);

/// The attributes that clang gave \p Call.
llvm::AttributeList attributesWithoutPath(const llvm::CallBase &Call);

/// At the end of a path: what is inlined there is another form of the function
/// that is called, of which the program has no call.
inline constexpr char NoCallPath[] = "-";

/// The numbers of the calls of one module, for as long as this lives.
class CallNumbers {
public:
  /// Numbers the calls of all functions of \p M that have a body.
  explicit CallNumbers(llvm::Module &M);
  CallNumbers(const CallNumbers &) = delete;
  CallNumbers &operator=(const CallNumbers &) = delete;
  /// Removes all paths from the module.
  ~CallNumbers();

  /// The function that the call with the last number of \p Path was written in,
  /// or null: there is no such number.
  llvm::Function *functionOf(llvm::StringRef Path) const;

private:
  llvm::Module &M;
  std::vector<llvm::Function *> Functions; ///< by number
};

} // namespace echo

#endif
