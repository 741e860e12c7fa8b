/*===- echo/assume.h - Pairs that the program vouches for -------*- C++ -*-===//
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * ECHO_ASSUME_UNIFIED(h, d); in a function says that its host buffer h and its
 * device buffer d may be one, although echo-cc cannot prove it: as a line of
 * --assume does. It makes no code, and other compilers read over it.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ECHO_ASSUME_H
#define ECHO_ASSUME_H

/* h and d: the variables that hold the two allocations. */
#ifdef __clang__
#define ECHO_ASSUME_PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define ECHO_ASSUME_UNIFIED(h, d)                                              \
  _Pragma("clang diagnostic push")                                             \
      _Pragma("clang diagnostic ignored \"-Wunknown-pragmas\"")                \
          ECHO_ASSUME_PRAGMA_(echo assume_unified(h, d))                       \
              _Pragma("clang diagnostic pop")
#else
#define ECHO_ASSUME_UNIFIED(h, d) ((void)0)
#endif

#endif
