//===- Programs.h - Which programs this library can be in -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a program's file alone: whether the loader that it names would load this
// library, and whether it has a malloc that must be the first. A file that
// cannot be read is taken for a program as others.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_PROGRAMS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_PROGRAMS_H

namespace echo::dr {

/// False for programs that are linked statically, for another processor or C
/// library, or with a sanitizer's runtime. Allocates nothing.
bool canLoadThis(const char *Path);

} // namespace echo::dr

#endif
