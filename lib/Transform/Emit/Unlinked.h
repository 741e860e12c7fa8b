//===- Unlinked.h - A program without echort says so ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where another tool links an object, without echort, the weak definitions in
// the object answer, and nothing merges. Those of allocations then say so, once
// an object, to who asks what Echo does (ECHO_VERBOSE or ECHO_STATS). They must
// do nothing else beside the call that the program wrote.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_UNLINKED_H
#define ECHO_TRANSFORM_EMIT_UNLINKED_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

/// Lets \p Weak, a weak definition of a function of echort's, say before it
/// returns that the program was linked without echort. Does nothing where the
/// unit has a getenv() or write() of its own.
void sayUnlinked(llvm::Function &Weak);

} // namespace echo

#endif
