//===- MakeRoom.h - Device memory of the program's own ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort keeps free blocks for the next pair of their size. What the program
// allocates on the device otherwise must not fail for that: before each such
// call echort is asked to give back what is in the way. Nothing else changes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_MAKEROOM_H
#define ECHO_TRANSFORM_MAKEROOM_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace echo {

/// Notes that echort is asked right before \p Allocation already.
void markAsked(llvm::CallBase &Allocation);

/// Asks echort before each allocation of device or managed memory in \p M that
/// is not marked. To be called when no function is analyzed any more, and only
/// where a pair was rewritten: else there is nothing that is kept.
void makeRoomForOthers(llvm::Module &M);

} // namespace echo

#endif
