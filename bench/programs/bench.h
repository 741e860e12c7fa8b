//===- bench.h - What the benchmarks share ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments, loop, clock, checksum and the memory of a pair. A benchmark is
// written once, as for a discrete GPU: malloc, cudaMalloc, cudaMemcpy.
// -DHAND=... turns the same source into what a developer would write for one
// kind of memory:
//
//   managed   one cudaMallocManaged buffer, no copies
//   mapped    one pinned buffer that the GPU reads and writes in place
//   unified   one buffer of the process's own memory
//   pinned    two buffers, the host's pinned, copies asynchronous; with
//             -DSAME_CALLS as they are written
//
// The clock runs per iteration around the primary region (uploads, GPU work,
// downloads) and around the complete iteration (the host's part, too). Nothing
// here decides anything about memory beyond that macro.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_H
#define ECHO_BENCH_H

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <vector>

#define BENCH_managed 1
#define BENCH_mapped 2
#define BENCH_unified 3
#define BENCH_pinned 4
#define BENCH_JOIN(A, B) A##B
#define BENCH_KIND(A) BENCH_JOIN(BENCH_, A)
#ifdef HAND
#define BENCH_HAND BENCH_KIND(HAND)
#if BENCH_HAND == 0
#error "HAND is one of managed, mapped, unified, pinned"
#endif
#else
#define BENCH_HAND 0
#endif

/// Ends the program where a call of CUDA or of a library failed.
#define CHECK(call)                                                            \
  do {                                                                         \
    auto Status = (call);                                                      \
    if (static_cast<int>(Status) != 0)                                         \
      bench::fail(__FILE__, __LINE__, #call, static_cast<int>(Status));        \
  } while (0)

#if BENCH_HAND == 0
#define HOST_ALLOC(bytes) std::malloc(bytes)
#define HOST_FREE(host) std::free(host)
#elif BENCH_HAND == BENCH_managed
#define HOST_ALLOC(bytes) bench::managed(bytes)
#define HOST_FREE(host) CHECK(cudaFree(host))
#elif BENCH_HAND == BENCH_unified
#define HOST_ALLOC(bytes) bench::unified(bytes)
#define HOST_FREE(host) std::free(host)
#else
#define HOST_ALLOC(bytes) bench::pinned(bytes)
#define HOST_FREE(host) CHECK(cudaFreeHost(host))
#endif

#ifdef SAME_CALLS
#define BENCH_SAME_CALLS (BENCH_HAND == BENCH_pinned)
#else
#define BENCH_SAME_CALLS 0
#endif
#if BENCH_HAND == 0 || BENCH_SAME_CALLS
#define DEVICE_ALLOC(device, host, bytes) CHECK(cudaMalloc(&(device), bytes))
#define DEVICE_FREE(device) CHECK(cudaFree(device))
#define UPLOAD(device, host, bytes)                                            \
  CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice))
#define DOWNLOAD(host, device, bytes)                                          \
  CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost))
#elif BENCH_HAND == BENCH_pinned
#define DEVICE_ALLOC(device, host, bytes) CHECK(cudaMalloc(&(device), bytes))
#define DEVICE_FREE(device) CHECK(cudaFree(device))
#define UPLOAD(device, host, bytes)                                            \
  CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, 0))
#define DOWNLOAD(host, device, bytes)                                          \
  CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, 0));      \
  CHECK(cudaStreamSynchronize(0))
#else
#define DEVICE_ALLOC(device, host, bytes) (device) = (host)
#define DEVICE_FREE(device) static_cast<void>(device)
#define UPLOAD(device, host, bytes) static_cast<void>(0)
#define DOWNLOAD(host, device, bytes) CHECK(cudaDeviceSynchronize())
#endif

/// Declares the two sides of a pair; ends main where there is no memory.
#define PAIR(host, device, bytes)                                              \
  float *host = static_cast<float *>(HOST_ALLOC(bytes)), *device;              \
  if (host == nullptr)                                                         \
    return 2;                                                                  \
  DEVICE_ALLOC(device, host, bytes)
#define FREE_PAIR(host, device)                                                \
  DEVICE_FREE(device);                                                         \
  HOST_FREE(host)

namespace bench {

[[noreturn]] inline void fail(const char *File, int Line, const char *What,
                              int Status) {
  std::fprintf(stderr, "%s:%d: %s failed (%d)\n", File, Line, What, Status);
  std::exit(2);
}

inline void *managed(size_t Bytes) {
  void *Memory = nullptr;
  CHECK(cudaMallocManaged(&Memory, Bytes));
  return Memory;
}

inline void *pinned(size_t Bytes) {
  void *Memory = nullptr;
  CHECK(cudaHostAlloc(&Memory, Bytes, cudaHostAllocMapped));
  return Memory;
}

/// Memory of the process, in huge pages. Exit status 3 where the GPU cannot
/// read it: then this variant does not exist there.
inline void *unified(size_t Bytes) {
  int Device = 0, Reads = 0;
  CHECK(cudaGetDevice(&Device));
  CHECK(
      cudaDeviceGetAttribute(&Reads, cudaDevAttrPageableMemoryAccess, Device));
  if (!Reads) {
    std::fprintf(stderr, "not on this device: the GPU cannot read the "
                         "process's own memory\n");
    std::exit(3);
  }
  void *Memory = nullptr;
  if (posix_memalign(&Memory, size_t(1) << 21, Bytes) != 0)
    fail(__FILE__, __LINE__, "posix_memalign", 1);
  madvise(Memory, Bytes, MADV_HUGEPAGE);
  std::memset(Memory, 0, Bytes);
  return Memory;
}

/// Sizes (positional), and how often to run.
struct Options {
  int Sizes[4] = {0, 0, 0, 0};
  int Count = 0;
  int Iterations = 100;
  int Warmup = 100;
  const char *Output = nullptr;

  /// The \p Index-th size, or \p Default.
  int size(int Index, int Default) const {
    return Index < Count ? Sizes[Index] : Default;
  }
};

inline Options parseOptions(int Argc, char **Argv, const char *Usage) {
  Options O;
  for (int I = 1; I < Argc; ++I) {
    const char *Word = Argv[I];
    const char *Value = I + 1 < Argc ? Argv[I + 1] : "";
    char *End = nullptr;
    long Number = std::strtol(Word[0] == '-' ? Value : Word, &End, 10);
    const bool Good = *End == '\0' && Number >= 0 && Number < 1 << 24;
    if (std::strcmp(Word, "--iterations") == 0 && Good && Number > 0) {
      O.Iterations = static_cast<int>(Number), ++I;
    } else if (std::strcmp(Word, "--warmup") == 0 && Good) {
      O.Warmup = static_cast<int>(Number), ++I;
    } else if (std::strcmp(Word, "--output") == 0 && Value[0] != '\0') {
      O.Output = Value, ++I;
    } else if (Word[0] != '-' && Good && Number > 0 && O.Count < 4) {
      O.Sizes[O.Count++] = static_cast<int>(Number);
    } else {
      std::fprintf(stderr,
                   "usage: %s %s [--iterations N] [--warmup N] "
                   "[--output FILE]\n",
                   Argv[0], Usage);
      std::exit(2);
    }
  }
  return O;
}

/// Times the iterations. On stderr it says "bench: timed" before the first
/// timed one and "bench: done" after the last, for who measures energy.
class Recorder {
public:
  explicit Recorder(const Options &Opts)
      : O(Opts), Samples(static_cast<size_t>(Opts.Iterations)) {}

  int rounds() const { return O.Warmup + O.Iterations; }

  /// The iteration begins with the host's part.
  void begin(int Round) {
    Index = Round - O.Warmup;
    if (Index == 0)
      std::fprintf(stderr, "bench: timed\n");
    LoopStart = now();
  }
  void enterRegion() { RegionStart = now(); }
  void leaveRegion() { RegionEnd = now(); }
  void end() {
    const long long End = now();
    if (Index < 0)
      return;
    Samples[static_cast<size_t>(Index)] = {RegionStart, RegionEnd, LoopStart,
                                           End};
    if (Index == O.Iterations - 1)
      std::fprintf(stderr, "bench: done\n");
  }

  /// Writes the samples as CSV (nanoseconds of the steady clock), prints the
  /// checksum and the bytes of one side of all pairs; returns the exit status.
  int finish(const char *Name, double Checksum, size_t PairBytes) const {
    std::printf("%s: checksum %.12g, %zu bytes in pairs\n", Name, Checksum,
                PairBytes);
    if (O.Output) {
      std::FILE *File = std::fopen(O.Output, "w");
      if (!File) {
        std::fprintf(stderr, "%s: cannot write %s\n", Name, O.Output);
        return 2;
      }
      std::fprintf(File, "region_start,region_end,loop_start,loop_end\n");
      for (const Sample &S : Samples)
        std::fprintf(File, "%lld,%lld,%lld,%lld\n", S.RegionStart, S.RegionEnd,
                     S.LoopStart, S.LoopEnd);
      std::fclose(File);
    }
    return std::isfinite(Checksum) ? 0 : 1;
  }

private:
  struct Sample {
    long long RegionStart, RegionEnd, LoopStart, LoopEnd;
  };
  static long long now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  Options O;
  std::vector<Sample> Samples;
  int Index = 0;
  long long LoopStart = 0, RegionStart = 0, RegionEnd = 0;
};

constexpr size_t Places = 1024; ///< that the host touches in an iteration

/// Writes \p Places values between -1 and 1, spread over the buffer, that
/// differ from round to round.
inline void touchInput(float *Buffer, size_t Count, int Round) {
  const size_t Step = Count < Places ? 1 : Count / Places;
  for (size_t I = 0; I < Count; I += Step)
    Buffer[I] = static_cast<float>((I * 37 + Round * 101) % 2003) / 1001.5f - 1;
}

/// Adds \p Places values, spread over the buffer.
inline double touchOutput(const float *Buffer, size_t Count) {
  const size_t Step = Count < Places ? 1 : Count / Places;
  double Sum = 0;
  for (size_t I = 0; I < Count; I += Step)
    Sum += std::fabs(static_cast<double>(Buffer[I]));
  return Sum;
}

/// Fills a host buffer with repeatable values between -1 and 1.
inline void fill(float *Buffer, size_t Count) {
  unsigned State = 2463534242u;
  for (size_t I = 0; I < Count; ++I) {
    State ^= State << 13;
    State ^= State >> 17;
    State ^= State << 5;
    Buffer[I] = static_cast<float>(State >> 8) / 8388608.0f - 1.0f;
  }
}

/// All iterations: \p Prepare is the host's part before the primary region,
/// \p Region is that, and \p Look adds up what the host sees. Returns the sum.
template <typename PrepareFn, typename RegionFn, typename LookFn>
double loop(Recorder &Record, PrepareFn Prepare, RegionFn Region, LookFn Look) {
  double Checksum = 0;
  for (int Round = 0; Round < Record.rounds(); ++Round) {
    Record.begin(Round);
    Prepare(Round);
    Record.enterRegion();
    Region();
    Record.leaveRegion();
    Checksum += Look();
    Record.end();
  }
  return Checksum;
}

/// The same, where the host changes some places of \p Input.
template <typename RegionFn, typename LookFn>
double loop(Recorder &Record, float *Input, size_t Count, RegionFn Region,
            LookFn Look) {
  return loop(
      Record, [=](int Round) { touchInput(Input, Count, Round); }, Region,
      Look);
}

} // namespace bench

#endif
