//===- Launchers.h - What the threads that launch do ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the threads that launch GPU work wait for another thread just now, as
// the kernel says. While they do, no launch follows an access that is held.
// Allocates nothing and takes no lock: a signal handler may ask.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_LAUNCHERS_H
#define ECHO_RUNTIME_DR_VALIDATE_LAUNCHERS_H

#include <stdint.h>

namespace echo::dr {

/// What those threads do, but for the calling one.
enum class Launching : uint8_t {
  Wait,   ///< each until another thread wakes it, without a limit, or is gone
  GoOn,   ///< one of them does not
  Unknown ///< the kernel does not tell, or there are too many
};

/// The calling thread launches work. Cheap after the first time.
void noteLauncher();

Launching whatLaunchersDo();

/// In the child of a fork, which has none of them.
void forgetLaunchers();

} // namespace echo::dr

#endif
