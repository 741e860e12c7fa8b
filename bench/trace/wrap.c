//===- wrap.c - Times the copies of a program, on the host's clock --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with --wrap for cudaMemcpy and cudaMemcpyAsync. Every copy between
// host and device first waits for the device, so that its own time is the
// copy's alone, and a wait is what was left of the kernels. The program's
// results stay what they are; its total time does not, so nothing else is
// measured in such a run. Intervals go to the file $BENCH_TRACE: kind, start,
// end, bytes.
//
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int __real_cudaMemcpy(void *dst, const void *src, size_t bytes, int kind);
int __real_cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                           void *stream);
int __real_cudaDeviceSynchronize(void);
int __real_cudaStreamSynchronize(void *stream);
int __real_cudaEventSynchronize(void *event);

static FILE *file;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void record(const char *kind, long long start, long long end,
                   size_t bytes) {
  if (!file) {
    const char *name = getenv("BENCH_TRACE");
    file = name ? fopen(name, "w") : NULL;
    if (!file)
      return;
    fputs("kind,start,end,bytes\n", file);
  }
  fprintf(file, "%s,%lld,%lld,%zu\n", kind, start, end, bytes);
}

/// Calls the real copy, waits for it, records both.
static int timed(void *dst, const void *src, size_t bytes, int kind,
                 void *stream, int async) {
  enum { HostToHost = 0, DeviceToDevice = 3 };
  if (kind == HostToHost || kind == DeviceToDevice)
    return async ? __real_cudaMemcpyAsync(dst, src, bytes, kind, stream)
                 : __real_cudaMemcpy(dst, src, bytes, kind);
  const long long start = now();
  __real_cudaDeviceSynchronize();
  const long long ready = now();
  const int status = async
                         ? __real_cudaMemcpyAsync(dst, src, bytes, kind, stream)
                         : __real_cudaMemcpy(dst, src, bytes, kind);
  if (async)
    __real_cudaDeviceSynchronize();
  record("kernel", start, ready, 0);
  record("copy", ready, now(), bytes);
  return status;
}

int __wrap_cudaMemcpy(void *dst, const void *src, size_t bytes, int kind) {
  return timed(dst, src, bytes, kind, NULL, 0);
}

int __wrap_cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                           void *stream) {
  return timed(dst, src, bytes, kind, stream, 1);
}

int __wrap_cudaDeviceSynchronize(void) {
  const long long start = now();
  const int status = __real_cudaDeviceSynchronize();
  record("kernel", start, now(), 0);
  return status;
}

int __wrap_cudaStreamSynchronize(void *stream) {
  const long long start = now();
  const int status = __real_cudaStreamSynchronize(stream);
  record("kernel", start, now(), 0);
  return status;
}

int __wrap_cudaEventSynchronize(void *event) {
  const long long start = now();
  const int status = __real_cudaEventSynchronize(event);
  record("kernel", start, now(), 0);
  return status;
}

__attribute__((destructor)) static void finish(void) {
  if (file)
    fclose(file);
}
