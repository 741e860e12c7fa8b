//===- Bypass.h - What uses memory past page protection ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closed buffer stops the program's instructions and the system calls that
// copy for it. It stops neither what has pinned the pages nor what forces its
// way: io_uring, contexts of asynchronous I/O, /proc/PID/mem, userfaultfd,
// devices that use memory by themselves, another mapping in the buffer's
// place. This part finds them in the process's table of descriptors and in its
// mappings, however they came there. It decides nothing but their kind; it
// never takes a descriptor of an unknown device for harmless.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_BYPASS_H
#define ECHO_RUNTIME_DR_VALIDATE_BYPASS_H

#include "runtime/abi/DrTrace.h"

namespace echo::dr {

/// Where a descriptor or a mapping leads, as /proc names it.
Reason bypassNamed(const char *Path);

/// What the descriptor \p Fd is.
Reason bypassOf(int Fd);

/// The program opened \p Fd by a function of the C library: where it leads past
/// page protection all buffers drop out, though it may be closed at once. Keeps
/// errno.
void noteOpened(int Fd);

/// What is known of system calls that the library cannot see.
enum class CallsAre {
  NoMatter, ///< echo-run was not asked to watch them
  Watched,
  Unseen ///< echo-run should watch them, and does not
};
CallsAre watchOfCalls();

/// The first that is there now. Where echo-run watches calls
/// (tools/echo-run/CallWatch.h), a look comes with \p All, and otherwise so
/// often that it takes a fortieth of the time; else with each event.
/// Descriptors are read where their number differs from the last look's,
/// mappings where a context of asynchronous I/O came or went anywhere. Both are
/// also read with \p All, and from time to time: a fortieth of it at most where
/// calls are watched, else a twentieth (a third where the system does not
/// report such numbers). Where /proc cannot be read, that is the reason.
/// \p Replaced is called with \p Data for each watched
/// buffer that another mapping was seen to lie over. Callers hold the lock of
/// validation.
Reason findBypass(bool All, void (*Replaced)(unsigned Slot, void *Data),
                  void *Data);

} // namespace echo::dr

#endif
