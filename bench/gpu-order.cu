//===- gpu-order.cu - What orders what on this device ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel takes its time and then raises a flag. Each line says whether the
// flag is up behind a sequence of calls: what CUDA's pages leave open about
// events, queries and waits across the legacy stream and blocking ones. Run on
// a GPU and on the CPU device (--device=cpu), the two lists show where the
// device and the model differ.
// Build: echo-cc --device=cuda -arch=sm_90 -O2 --no-unify bench/gpu-order.cu
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t Status = (call);                                               \
    if (Status != cudaSuccess) {                                               \
      std::printf("%s: %s\n", #call, cudaGetErrorName(Status));                \
      std::exit(9);                                                            \
    }                                                                          \
  } while (0)

static volatile int *Flag, *Seen; // pinned
static char *Bytes;               // device, 64
static char *Pinned;              // pinned, 64
static cudaStream_t S, T, Other;  // blocking, blocking, non-blocking
static cudaEvent_t E, Done;

/// Raises the flag after 5 to 10 ms of a GPU; on the CPU device at once.
__global__ void raise(volatile int *flag) {
  for (long long begin = clock64(); clock64() - begin < 10000000;)
    ;
  *flag = 1;
  __threadfence_system();
}

/// Copies the flag.
__global__ void look(volatile int *seen, volatile int *flag) {
  *seen = *flag;
  __threadfence_system();
}

__global__ void nothing() {}

/// Runs \p calls behind a kernel in stream \p first; tells what the host sees.
template <class Function>
static void host(const char *name, cudaStream_t first, Function calls) {
  *Flag = 0;
  raise<<<1, 1, 0, first>>>(Flag);
  calls();
  int up = *Flag;
  CHECK(cudaDeviceSynchronize());
  std::printf("%-66s %s\n", name, up ? "done" : "NOT done");
}

/// The same for a kernel in stream \p second behind \p calls.
template <class Function>
static void kernel(const char *name, cudaStream_t first, cudaStream_t second,
                   Function calls) {
  *Flag = *Seen = 0;
  raise<<<1, 1, 0, first>>>(Flag);
  calls();
  look<<<1, 1, 0, second>>>(Seen, Flag);
  CHECK(cudaDeviceSynchronize());
  std::printf("%-66s %s\n", name, *Seen ? "ordered" : "NOT ordered");
}

/// What \p stream, which is ordered by the legacy stream, makes of its work.
static void behindLegacy(const char *what, cudaStream_t stream) {
  std::printf("kernel in the legacy stream, then in %s:\n", what);
  auto sync = [=] { CHECK(cudaStreamSynchronize(stream)); };
  host("  stream sync", 0, sync);
  host("  record, stream sync", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    sync();
  });
  host("  record, event sync", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    CHECK(cudaEventSynchronize(E));
  });
  host("  record, wait for it in the same stream, stream sync", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    CHECK(cudaStreamWaitEvent(stream, E, 0));
    sync();
  });
  host("  record, wait for it in a non-blocking stream, sync of that", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    CHECK(cudaStreamWaitEvent(Other, E, 0));
    CHECK(cudaStreamSynchronize(Other));
  });
  host("  record in the legacy stream, wait for it here, stream sync", 0, [=] {
    CHECK(cudaEventRecord(E, 0));
    CHECK(cudaStreamWaitEvent(stream, E, 0));
    sync();
  });
  host("  wait for an event that is done, stream sync", 0, [=] {
    CHECK(cudaStreamWaitEvent(stream, Done, 0));
    sync();
  });
  host("  set of 1 byte, stream sync", 0, [=] {
    CHECK(cudaMemsetAsync(Bytes + 32, 0, 1, stream));
    sync();
  });
  host("  set of 0 bytes, stream sync", 0, [=] {
    CHECK(cudaMemsetAsync(Bytes + 32, 0, 0, stream));
    sync();
  });
  host("  pinned download of 4 bytes, stream sync", 0, [=] {
    CHECK(
        cudaMemcpyAsync(Pinned, Bytes + 32, 4, cudaMemcpyDeviceToHost, stream));
    sync();
  });
  host("  pinned download of 0 bytes, stream sync", 0, [=] {
    CHECK(
        cudaMemcpyAsync(Pinned, Bytes + 32, 0, cudaMemcpyDeviceToHost, stream));
    sync();
  });
  host("  kernel, stream sync", 0, [=] {
    nothing<<<1, 1, 0, stream>>>();
    sync();
  });
  host("  query until it is ready", 0, [=] {
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
      ;
  });
  host("  record, stream query until it is ready", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
      ;
  });
  host("  record, event query until it is ready", 0, [=] {
    CHECK(cudaEventRecord(E, stream));
    while (cudaEventQuery(E) == cudaErrorNotReady)
      ;
  });
  kernel("  nothing, kernel", 0, stream, [] {});
  kernel("  record, wait for it in a non-blocking stream, kernel there", 0,
         Other, [=] {
           CHECK(cudaEventRecord(E, stream));
           CHECK(cudaStreamWaitEvent(Other, E, 0));
         });
}

static void behindBlocking() {
  std::printf("kernel in a blocking stream, then in the legacy stream:\n");
  host("  stream sync", S, [] { CHECK(cudaStreamSynchronize(0)); });
  host("  stream query until it is ready", S, [] {
    while (cudaStreamQuery(0) == cudaErrorNotReady)
      ;
  });
  host("  record, event sync", S, [] {
    CHECK(cudaEventRecord(E, 0));
    CHECK(cudaEventSynchronize(E));
  });
  host("  record, stream sync", S, [] {
    CHECK(cudaEventRecord(E, 0));
    CHECK(cudaStreamSynchronize(0));
  });
  kernel("  nothing, kernel in another blocking stream", S, T, [] {});
  kernel("  record, kernel in another blocking stream", S, T,
         [] { CHECK(cudaEventRecord(E, 0)); });
  kernel("  record, wait for it in a non-blocking stream, kernel there", S,
         Other, [] {
           CHECK(cudaEventRecord(E, 0));
           CHECK(cudaStreamWaitEvent(Other, E, 0));
         });
  kernel("  set of 1 byte, kernel in another blocking stream", S, T,
         [] { CHECK(cudaMemsetAsync(Bytes + 32, 0, 1, 0)); });
  kernel("  set of 0 bytes, kernel in another blocking stream", S, T,
         [] { CHECK(cudaMemsetAsync(Bytes + 32, 0, 0, 0)); });
  kernel("  wait for an event that is done, kernel in another", S, T,
         [] { CHECK(cudaStreamWaitEvent(0, Done, 0)); });
  host("  record, wait for it in the legacy stream, sync of another", S, [] {
    CHECK(cudaEventRecord(E, 0));
    CHECK(cudaStreamWaitEvent(0, E, 0));
    CHECK(cudaStreamSynchronize(T));
  });
  kernel("  record, wait for it in the legacy stream, kernel in another", S, T,
         [] {
           CHECK(cudaEventRecord(E, 0));
           CHECK(cudaStreamWaitEvent(0, E, 0));
         });
  kernel("  pinned download of 4 bytes, kernel in another", S, T, [] {
    CHECK(cudaMemcpyAsync(Pinned, Bytes + 32, 4, cudaMemcpyDeviceToHost, 0));
  });
  kernel("  kernel, kernel in another", S, T, [] { nothing<<<1, 1>>>(); });
  host("  record, then sync of another blocking stream", S, [] {
    CHECK(cudaEventRecord(E, 0));
    CHECK(cudaStreamSynchronize(T));
  });
}

int main() {
  CHECK(cudaHostAlloc((void **)&Flag, 64, cudaHostAllocDefault));
  CHECK(cudaHostAlloc((void **)&Seen, 64, cudaHostAllocDefault));
  CHECK(cudaHostAlloc((void **)&Pinned, 64, cudaHostAllocDefault));
  CHECK(cudaMalloc((void **)&Bytes, 64));
  CHECK(cudaMemset(Bytes, 0, 64));
  CHECK(cudaStreamCreate(&S));
  CHECK(cudaStreamCreate(&T));
  CHECK(cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&E, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&Done, cudaEventDisableTiming));
  CHECK(cudaEventRecord(Done, T));
  // Loads the kernels.
  raise<<<1, 1>>>(Flag);
  look<<<1, 1>>>(Seen, Flag);
  nothing<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  behindLegacy("a blocking stream", S);
  behindLegacy("the per-thread stream", cudaStreamPerThread);
  behindLegacy("a non-blocking stream", Other);
  behindBlocking();
}
