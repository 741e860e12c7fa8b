//===- Fork.h - What a child process finds in served buffers ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child must find in a host buffer what its parent had there, but managed
// memory is not inherited, nor is what is pinned where fork would move pinned
// pages. The parent copies such buffers before it forks, and the child puts the
// copies in their places. Nothing here changes what the parent has.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_FORK_H
#define ECHO_RUNTIME_DR_OPTIMIZE_FORK_H

namespace echo::dr {

/// Before fork, tables locked: copies what the child would not find.
void copyForChild();

/// In the parent: the copies go.
void dropCopies();

/// In the child: the copies take the places of what they were made of.
void giveToChild();

} // namespace echo::dr

#endif
