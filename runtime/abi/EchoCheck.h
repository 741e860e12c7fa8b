//===- EchoCheck.h - Between --check and its library ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that was compiled with --check tells the library that follows
// its candidate pairs (runtime/check): places in the source, the pairs that the
// analysis listed, and every access. The CPU device tells allocations, copies
// and sets; its calls are weak, so that one device serves programs with and
// without the library.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_ECHOCHECK_H
#define ECHO_RUNTIME_ABI_ECHOCHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A place in the source, and who acts there: "host", "kernel 'k'",
/// "cudaMemcpy".
struct EchoCheckPlace {
  const char *file;
  const char *what;
  uint32_t line, column;
};

/// A pair as the static report lists it.
struct EchoCheckPair {
  const struct EchoCheckPlace *host, *device; ///< of the allocations
  const char *hostName, *deviceName;          ///< variables; null: not known
  const char *verdict;                        ///< "unified", ...
  const char *reason;                         ///< its identifier, or null
  /// Bit 0, 1: there is one path of calls to the host's, device's place. On
  /// several paths, buffers of one place can belong to different pairs.
  uint64_t onePath;
};

/// What one module has; registered once, kept for good.
struct EchoCheckUnit {
  const char *source;
  const struct EchoCheckPair *pairs;
  uint64_t numPairs;
};
void echo_check_register(const struct EchoCheckUnit *unit);

/// Where in the user's code the calling thread is, while it is in a function
/// that allocates, copies, launches, or belongs to a library.
extern __thread const struct EchoCheckPlace *echo_check_place;

/// Accesses that are about to happen.
void echo_check_read(const void *address, size_t bytes,
                     const struct EchoCheckPlace *place);
void echo_check_write(const void *address, size_t bytes,
                      const struct EchoCheckPlace *place);
/// The same for the usual sizes.
void echo_check_read4(const void *address, const struct EchoCheckPlace *place);
void echo_check_read8(const void *address, const struct EchoCheckPlace *place);
void echo_check_write4(const void *address, const struct EchoCheckPlace *place);
void echo_check_write8(const void *address, const struct EchoCheckPlace *place);
/// A library function reads the text at \p address, up to its end.
void echo_check_read_text(const void *address,
                          const struct EchoCheckPlace *place);
/// A function of which nothing is known gets \p address.
void echo_check_unknown(const void *address,
                        const struct EchoCheckPlace *place);
/// It wrote a text there.
void echo_check_write_text(const void *address,
                           const struct EchoCheckPlace *place);
/// The same for one that is in another unit: \p checked is null if that was
/// not compiled with --check.
void echo_check_pass(const void *address, const void *checked,
                     const struct EchoCheckPlace *place);
/// The program looks at \p address as a number.
void echo_check_number(const void *address, const struct EchoCheckPlace *place);
/// The program looks at \p address modulo \p bytes, a power of two.
void echo_check_low_bits(const void *address, size_t bytes,
                         const struct EchoCheckPlace *place);
/// The program compares two addresses. \p predicate: 0 equality, 1 order.
void echo_check_compare(const void *a, const void *b, int predicate,
                        const struct EchoCheckPlace *place);
/// Does nothing with a new block, but could.
void echo_check_made(const void *address);
/// Before an atomic operation that may publish, after one that may see.
void echo_check_publish(const void *address);
void echo_check_see(const void *address);
/// Around a parallel region of OpenMP.
void echo_check_fork(void);
void echo_check_join(void);

// From the CPU device.
void echo_check_allocated(void *base, size_t bytes, int onDevice);
void echo_check_freed(void *base);
/// All memory of the device is about to go.
void echo_check_reset(void);
/// A copy of \p height rows that happens now, on the calling thread; \p parts
/// says whether the source is read now, the destination written, or both.
#define ECHO_CHECK_FROM 1
#define ECHO_CHECK_TO 2
void echo_check_copy(void *dst, size_t dstPitch, const void *src,
                     size_t srcPitch, size_t width, size_t height, int parts);
void echo_check_set(void *dst, size_t pitch, size_t width, size_t height);
/// The place where the calling thread is.
const void *echo_check_here(void);
/// Writes what was seen; called at exit.
void echo_check_report(void);
/// The key of an order, which __tsan_release() filled, is not used any more.
void echo_check_forget(uint64_t *key);

#ifdef __cplusplus
}
#endif

#endif
