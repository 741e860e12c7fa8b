//===- PtxAccess.h - Memory that inline PTX uses ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inline assembly of device code does with an address that it gets, from
// its text. An operand of which any mention is not understood may be kept.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_PTXACCESS_H
#define ECHO_ANALYSIS_KERNELS_PTXACCESS_H

#include <optional>

namespace llvm {
class Use;
} // namespace llvm

namespace echo {

/// What may be done with the memory at an address.
struct PtxAccess {
  bool Read = false, Written = false;
};

/// What inline assembly does with the address that it gets by \p U, if that is
/// the place of loads, stores, atomics, copies to shared memory and prefetches
/// and nothing else: the assembly cannot keep it or look at it. Nothing if it
/// may do more, touches memory at system scope or for others to see at once
/// (volatile), or if \p U is no argument of inline assembly.
std::optional<PtxAccess> ptxAccess(const llvm::Use &U);

} // namespace echo

#endif
