//===- cupti.cpp - Records kernels and copies of a process by CUPTI -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that the CUDA driver loads into any program
// (CUDA_INJECTION64_PATH). When the process ends it writes what the GPU did to
// the file $BENCH_TRACE: kind, start, end, bytes, in nanoseconds of the host's
// monotonic clock.
//
//   kernel  a kernel or set ran
//   copy    bytes moved between host and device
//   call    the host was inside of a copy call (staging of pageable memory)
//
// Where CUPTI does not work there is no file, and the program runs as ever.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cupti.h>
#include <mutex>
#include <vector>

namespace {

struct Interval {
  const char *Kind;
  uint64_t Start, End, Bytes;
};

/// The same instant on CUPTI's clock and on the host's.
struct Instant {
  uint64_t Cupti = 0;
  double Host = 0;
};

struct Trace {
  std::mutex Lock;
  std::vector<Interval> Intervals;
  Instant Begin;
};

/// Never destroyed: CUPTI's thread may still be there at the end.
Trace &trace() {
  static Trace *T = new Trace;
  return *T;
}

Instant instant() {
  Instant I;
  timespec Time{};
  cuptiGetTimestamp(&I.Cupti);
  clock_gettime(CLOCK_MONOTONIC, &Time);
  I.Host = static_cast<double>(Time.tv_sec) * 1e9 +
           static_cast<double>(Time.tv_nsec);
  return I;
}

bool isCopyCall(uint32_t Id) {
  return Id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020 ||
         Id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020 ||
         Id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000 ||
         Id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000;
}

void add(Trace &T, const CUpti_Activity *Record) {
  switch (Record->kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
    const auto *K = reinterpret_cast<const CUpti_ActivityKernel10 *>(Record);
    T.Intervals.push_back({"kernel", K->start, K->end, 0});
    break;
  }
  case CUPTI_ACTIVITY_KIND_MEMSET: {
    const auto *M = reinterpret_cast<const CUpti_ActivityMemset4 *>(Record);
    T.Intervals.push_back({"kernel", M->start, M->end, 0});
    break;
  }
  case CUPTI_ACTIVITY_KIND_MEMCPY: {
    const auto *M = reinterpret_cast<const CUpti_ActivityMemcpy6 *>(Record);
    if (M->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ||
        M->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH)
      T.Intervals.push_back({"copy", M->start, M->end, M->bytes});
    break;
  }
  case CUPTI_ACTIVITY_KIND_RUNTIME: {
    const auto *A = reinterpret_cast<const CUpti_ActivityAPI *>(Record);
    if (isCopyCall(A->cbid))
      T.Intervals.push_back({"call", A->start, A->end, 0});
    break;
  }
  default:
    break;
  }
}

void CUPTIAPI giveBuffer(uint8_t **Buffer, size_t *Size, size_t *Records) {
  *Size = size_t(4) << 20;
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(64, *Size));
  *Records = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t *Buffer, size_t,
                         size_t Valid) {
  Trace &T = trace();
  std::lock_guard<std::mutex> Guard(T.Lock);
  CUpti_Activity *Record = nullptr;
  while (cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS)
    add(T, Record);
  std::free(Buffer);
}

void write() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *Name = std::getenv("BENCH_TRACE");
  std::FILE *File = Name ? std::fopen(Name, "w") : nullptr;
  if (!File)
    return;
  Trace &T = trace();
  std::lock_guard<std::mutex> Guard(T.Lock);
  const Instant A = T.Begin, B = instant();
  const double Rate =
      B.Cupti > A.Cupti ? (B.Host - A.Host) / double(B.Cupti - A.Cupti) : 1;
  auto Host = [&](uint64_t Time) {
    return A.Host + (double(Time) - double(A.Cupti)) * Rate;
  };
  std::fputs("kind,start,end,bytes\n", File);
  for (const Interval &I : T.Intervals)
    std::fprintf(File, "%s,%.0f,%.0f,%llu\n", I.Kind, Host(I.Start),
                 Host(I.End), static_cast<unsigned long long>(I.Bytes));
  std::fclose(File);
}

} // namespace

/// The driver calls this when it has loaded the library; 1 means "go on".
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer) != CUPTI_SUCCESS) {
    std::fprintf(stderr, "bench: CUPTI does not work here; no trace\n");
    return 1;
  }
  for (CUpti_ActivityKind Kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME})
    if (cuptiActivityEnable(Kind) != CUPTI_SUCCESS) {
      std::fprintf(stderr, "bench: CUPTI cannot record activity of kind %d\n",
                   static_cast<int>(Kind));
      return 1;
    }
  trace().Begin = instant();
  std::atexit(write);
  return 1;
}
