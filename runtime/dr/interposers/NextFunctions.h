//===- NextFunctions.h - The functions that are called instead --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next functions of the very names that a file of interposers defines: the
// C library's, or another library's that stands between. A file lists the names
// once, as FOR_ALL(each), and writes NEXT_FUNCTIONS(FOR_ALL). Its `Real` is
// null until this library's constructors run, and where there is no such
// function.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_NEXTFUNCTIONS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_NEXTFUNCTIONS_H

#include "runtime/dr/Core.h"
#include "runtime/dr/Real.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace echo::dr {

template <class F> void takeNext(F *&Slot, const char *Name) {
  Slot = nextFunction<F>(Name);
}

} // namespace echo::dr

#define NEXT_MEMBER(name) decltype(&::name) name;
#define NEXT_TAKE(name) echo::dr::takeNext(Real.name, #name);

#define NEXT_FUNCTIONS(all)                                                    \
  namespace {                                                                  \
  struct Functions {                                                           \
    all(NEXT_MEMBER)                                                           \
  };                                                                           \
  }                                                                            \
  static Functions Real;                                                       \
  __attribute__((constructor)) static void findReal() {                        \
    echo::dr::Inside Echo;                                                     \
    all(NEXT_TAKE)                                                             \
  }

/// Where no system call does the same: looked up when it is first called.
#define NEED(name)                                                             \
  if (__builtin_expect(!Real.name, 0))                                         \
  NEXT_TAKE(name)

/// The next function, or the system call that it is.
#define REAL_OR(name, args, ...)                                               \
  (__builtin_expect(Real.name != nullptr, 1)                                   \
       ? Real.name args                                                        \
       : static_cast<decltype(Real.name args)>(syscall(__VA_ARGS__)))

/// Who called the interposer.
#define CALLER __builtin_return_address(0)

#endif
