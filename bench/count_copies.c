//===- count_copies.c - Counts the bytes that a program copies ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with --wrap for cudaMemcpy and cudaMemcpyAsync: adds up what moves
// between host and device, and prints "copied: N bytes" to stderr at exit.
//
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdio.h>

int __real_cudaMemcpy(void *dst, const void *src, size_t bytes, int kind);
int __real_cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                           void *stream);

static unsigned long long copied;

static void count(size_t bytes, int kind) {
  enum { HostToHost = 0, DeviceToDevice = 3 };
  if (kind != HostToHost && kind != DeviceToDevice)
    __atomic_fetch_add(&copied, bytes, __ATOMIC_RELAXED);
}

int __wrap_cudaMemcpy(void *dst, const void *src, size_t bytes, int kind) {
  count(bytes, kind);
  return __real_cudaMemcpy(dst, src, bytes, kind);
}

int __wrap_cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                           void *stream) {
  count(bytes, kind);
  return __real_cudaMemcpyAsync(dst, src, bytes, kind, stream);
}

__attribute__((destructor)) static void print(void) {
  fprintf(stderr, "copied: %llu bytes\n", copied);
}
