//===- Malloc.h - The C library's interposer: what is large -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What malloc and its family do with memory that may be an event (Libc.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_MALLOC_H
#define ECHO_RUNTIME_DR_INTERPOSERS_MALLOC_H

#include <stddef.h>

/// This library's own.
extern "C" {
void *malloc(size_t Bytes);
void *realloc(void *Pointer, size_t Bytes);
void free(void *Pointer);
}

namespace echo::dr {

void *mallocLarge(size_t Bytes);
/// \p Count times \p Size is a number of bytes.
void *callocLarge(size_t Count, size_t Size);
/// Any arguments of realloc.
void *reallocLarge(void *Pointer, size_t Bytes);
/// \p Pointer may be one that free of the C library must not see.
void freeLarge(void *Pointer);

} // namespace echo::dr

#endif
