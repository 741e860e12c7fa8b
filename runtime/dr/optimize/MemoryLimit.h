//===- MemoryLimit.h - How much memory this process may have ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest memory limit of the control groups that a process is in, of
// either version. Reads files alone; what cannot be read is no limit.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_MEMORYLIMIT_H
#define ECHO_RUNTIME_DR_OPTIMIZE_MEMORYLIMIT_H

#include <stdint.h>

namespace echo::dr {

/// \p Groups is a file as /proc/self/cgroup, \p Root what is mounted at
/// /sys/fs/cgroup. UINT64_MAX: there is no limit.
uint64_t memoryLimit(const char *Groups, const char *Root);

} // namespace echo::dr

#endif
