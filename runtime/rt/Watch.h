//===- Watch.h - Do the copies of an assumed pair show it? ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With ECHO_WATCH=N one allocation in N of an assumed pair stays two buffers,
// with the copies as written. Before each of these copies the contents of both
// are compared with what both held after the copy before: what one side changed
// since and the other does not hold, one block would have shown or lost. At the
// first such difference the pair is merged no more in this process. Nothing
// here changes what the program computes, and no error of it is seen.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_WATCH_H
#define ECHO_RUNTIME_RT_WATCH_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// A buffer of \p Bytes bytes of \p Group, which is assumed, is about to be
/// allocated, and does not join a block at \p Partner. Null, or why it stays
/// apart. With \p Partner its other side has been asked for before.
const char *staysApart(EchoGroup &Group, size_t Bytes, const void *Partner);

/// A linking copy of \p Group, in \p Stream, is about to run as written.
void watchCopy(EchoGroup &Group, uint32_t Order, void *Stream, void *Dst,
               const void *Src, size_t Bytes);

/// The program is about to free \p Pointer, or to resize it: forgets what was
/// kept of a watched buffer that may start there.
void forgetWatched(const void *Pointer);

} // namespace echo::rt

#endif
