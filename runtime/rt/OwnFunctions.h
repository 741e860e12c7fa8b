//===- OwnFunctions.h - Functions under a library's name --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis knows of fopen is true of the C library's. Another unit of
// the program, or a library of its own, may define a function of that name.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_OWNFUNCTIONS_H
#define ECHO_RUNTIME_RT_OWNFUNCTIONS_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// The first of \p Functions, which may be null, that is no function of the
/// system's or CUDA's libraries, or null. The runtime that is in a file of the
/// program is CUDA's as well, but where others linked it: \p Wrapped, those
/// that pairs leave out may have a wrapper there. Operators new and delete
/// count among these only \p WithNew. Calls nothing of CUDA.
const char *ownFunction(const EchoFunction *Functions, bool Wrapped,
                        bool WithNew);

/// True if the file \p Path is, by its name and where other libraries have such
/// names by its folder, one of the system's libraries, an allocator that takes
/// the place of its, or a sanitizer.
bool isOfSystem(const char *Path);

} // namespace echo::rt

#endif
