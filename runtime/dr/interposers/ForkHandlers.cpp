//===- ForkHandlers.cpp - Who is asked first around fork ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that the program needs are initialized before this one, and may
// register handlers of fork. Whoever registers first, Echo does before: so its
// locks are taken when no other's handler runs any more, and a child has its
// memory before another's handler looks at it. The registration itself is the C
// library's.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/Real.h"

#include <errno.h>

using namespace echo::dr;

/// What pthread_atfork, which each library has for itself, calls.
INTERPOSED int __register_atfork(void (*Prepare)(), void (*InParent)(),
                                 void (*InChild)(), void *Library) {
  static decltype(&::__register_atfork) Real;
  armForks();
  if (!__atomic_load_n(&Real, __ATOMIC_RELAXED))
    __atomic_store_n(
        &Real, reinterpret_cast<decltype(Real)>(next("__register_atfork")),
        __ATOMIC_RELAXED);
  return Real ? Real(Prepare, InParent, InChild, Library) : ENOMEM;
}
