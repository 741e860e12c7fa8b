//===- CpuLibrary.h - What CUDA libraries ask of the CPU device -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between the CPU device (runtime/cpu) and the libraries that
// stand for CUDA's on it (runtime/cpu/libs): how they queue work in a stream.
// It must never depend on CUDA's headers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CPULIBRARY_H
#define ECHO_RUNTIME_ABI_CPULIBRARY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Work that runs once, as a kernel would.
typedef struct EchoCpuWork {
  void (*run)(void *data);  ///< does it; left out on a device that failed
  void (*drop)(void *data); ///< gives \c data back; called in any case
  void *data;
} EchoCpuWork;

/// Queues \p work in \p stream (a cudaStream_t; 0 is the legacy stream) and,
/// with \p wait, returns when it is done, without a wait for anything after
/// it. \p caller is where the program called the library, for reports of
/// ThreadSanitizer. Returns a cudaError_t.
int echo_cpu_queue_work(void *stream, const EchoCpuWork *work, int wait,
                        void *caller);

/// Says under --check, and else does nothing, that \p rows rows of \p bytes
/// each, \p pitch bytes apart, are read or, with \p writes, written: by the
/// calling thread, or by the work that runs on it.
void echo_cpu_note_access(const void *base, size_t bytes, size_t pitch,
                          size_t rows, int writes);

/// Whether anybody listens to echo_cpu_note_access.
int echo_cpu_notes_accesses(void);

/// Called by work that cannot be done: says why, and all later calls fail.
void echo_cpu_fail_work(const char *why);

/// Starts the device where it has not been. Returns a cudaError_t.
int echo_cpu_start(void);

/// How many threads the work of a library may use: as many as the device has
/// workers, one under ThreadSanitizer. The device must have been started.
unsigned echo_cpu_library_threads(void);

#ifdef __cplusplus
}
#endif

#endif
