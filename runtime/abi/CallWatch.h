//===- CallWatch.h - Words between watcher and watched ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a program is validated, echo-run is asked about a few of its system
// calls (tools/echo-run/CallWatch.h). libecho-dr.so has to know whether it is,
// and its own opening of files need not be asked about. Both are told by words
// in arguments that the system looks at in no such call.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CALLWATCH_H
#define ECHO_RUNTIME_ABI_CALLWATCH_H

namespace echo::dr {

/// openat's fifth argument, of which it has four: libecho-dr.so opens the file.
inline constexpr unsigned OwnOpen = 0x4563686f;

/// process_vm_readv(0, null, ProbeWord, null, 0, 0): where calls are watched it
/// gives ProbeAnswer; else the system refuses so many parts.
inline constexpr unsigned ProbeWord = 0x63616c6c, ProbeAnswer = 0x7365656e;

} // namespace echo::dr

#endif
