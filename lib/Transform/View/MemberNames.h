//===- MemberNames.h - Addresses that name a caller's members ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's addresses say which member of which struct they are, and a caller of
// a function may need that to split its objects (SplitFields.h) once the
// function is inlined. LLVM's simplifications make numbers of bytes of them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_MEMBERNAMES_H
#define ECHO_TRANSFORM_VIEW_MEMBERNAMES_H

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

/// True if no address in \p F, whose variables are values, names a member of an
/// object that a caller may have: all of them are in what \p F itself makes and
/// keeps. A wrong answer costs a merge at most.
bool namesNoMembers(const llvm::Function &F);

} // namespace echo

#endif
