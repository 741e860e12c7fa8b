//===- Watch.h - One GPU-use window in N is watched -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mode optimize; ECHO_DR_WATCH=N sets N, 0 turns this off. A pair that is one
// buffer (choice mapped) lies in memory that is mapped twice: the host has one
// mapping, the GPU the other, at another address, as two buffers have. In one
// window in N what the buffer holds is kept and the host's mapping is closed,
// by validation's rules. An access of the host's to a closed buffer takes the
// two apart: the host gets what was kept, which is what its own buffer would
// hold, and from then on the program's copies run. The pair is left in this
// process and in the plan.
//
// Windows that are not watched are as fast, and as unsafe, as without this. The
// GPU's mapping is never closed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_WATCH_H
#define ECHO_RUNTIME_DR_OPTIMIZE_WATCH_H

#include "runtime/dr/optimize/Memory.h"

namespace echo::dr {

/// From here on a fork gives the child host sides of its own. To be called
/// after the core's start: no lock of the core's own handlers is held when
/// this part's is taken.
void armWatchForForks();

/// A child will be made for which that is not done: all go apart before.
void partForChild();

/// A block for a pair's two sides, mapped twice, and where the host sees it;
/// null if there is none.
rt::Block *makeTwice(size_t Bytes, char *&HostView);
/// Gives it back; as much of it as can be.
void dropTwice(rt::Block *B, char *HostView);

/// \p S, which is mapped twice, has the side \p Which now, or will lose it.
/// False: it cannot be looked after, and must not be used.
bool watchSide(Served &S, Side Which);
void unwatchSide(Served &S, Side Which);
/// \p S is about to go.
void unwatch(Served &S);

/// Any event, first of all; a copy that will run; any event that ran.
void watchBefore(const Event &E);
void watchRuns(const Event &E);
void watchAfter(const Event &E, int Status);
/// The program waited as a copy of \p Bytes of \p S between its sides, which
/// does not run, would have. False: the two are apart, and the copy must run.
bool watchCopy(Served &S, bool ToDevice, uint64_t Bytes);
/// Work that uses \p S alone begins.
void watchWork(Served &S);
/// \p S is used in a way that is not watched.
void watchOther(Served &S, Trap What);
/// Both sides of \p S get what they share, and are two buffers from here on: a
/// copy will change one of them. False if they stay one.
bool partForCopy(Served &S);
/// Whether the two sides of \p S are apart.
bool isApart(const Served &S);

/// Enters the pages of \p B in Watched, or forgets them there, while no other
/// thread does. False if there is no room.
bool enterPages(const rt::Block &B, unsigned &Slot);
void forgetPages(unsigned Slot);

/// At exit: takes up what was seen last.
void endWatch();

} // namespace echo::dr

#endif
