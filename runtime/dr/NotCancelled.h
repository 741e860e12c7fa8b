//===- NotCancelled.h - Work that no cancellation cuts short ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Echo does in a call of the program is no point at which its thread may
// be cancelled: the call would be left half done, and might be none as written.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_NOTCANCELLED_H
#define ECHO_RUNTIME_DR_NOTCANCELLED_H

#include <pthread.h>

namespace echo::dr {

/// While it lives, a request to cancel the calling thread waits.
class NotCancelled {
public:
  /// With \p Guards false it does nothing.
  explicit NotCancelled(bool Guards = true) : Guards(Guards) {
    if (Guards)
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &Before);
  }
  ~NotCancelled() {
    if (Guards)
      pthread_setcancelstate(Before, &Before);
  }
  NotCancelled(const NotCancelled &) = delete;
  NotCancelled &operator=(const NotCancelled &) = delete;

private:
  bool Guards;
  int Before = PTHREAD_CANCEL_ENABLE;
};

} // namespace echo::dr

#endif
