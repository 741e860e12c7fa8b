//===- RealCopy.h - Around a linking copy that runs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linking copy runs where its sides are two buffers. Before it, a host side
// that may be pinned is, once copies have repeated; how long the copy took says
// whether that pays. Other host memory is left alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_REALCOPY_H
#define ECHO_RUNTIME_RT_REALCOPY_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// Right before a copy of \p Bytes bytes of a pair of \p Group; \p Host is its
/// host buffer, or null.
void beforeRealCopy(EchoGroup &Group, void *Host, size_t Bytes);

/// After that copy, of this thread, and its wait. \p Waited: it followed the
/// legacy stream's work (ECHO_COPY_WAITED).
void afterRealCopy(bool Waited);

} // namespace echo::rt

#endif
