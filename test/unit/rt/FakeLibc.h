//===- FakeLibc.h - Memory of the system that may fail ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test double: what echort and its tests get by malloc, calloc and mmap goes
// through here (--wrap of the linker). What C++ and the C library get for
// themselves does not.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_RT_FAKELIBC_H
#define ECHO_TEST_UNIT_RT_FAKELIBC_H

namespace fake {

/// From now on calls are counted; number \p Call, from 1 on, finds no memory.
/// 0: none fails.
void failLibcCall(unsigned Call);
/// How many were counted.
unsigned libcCalls();
/// From now on mmap finds no memory, or does again. Any thread may call it.
void failMaps(bool Fail);

} // namespace fake

#endif
