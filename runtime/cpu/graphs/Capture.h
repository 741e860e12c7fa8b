//===- Capture.h - Streams that put their work into a graph -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, of each call, whether its stream is captured, and whether a capture
// forbids it; it adds a node where work is captured. What CUDA's pages leave
// open is as on an H200 (test/e2e/programs/graph_capture_errors.cu). It must
// never let captured work run, nor let a call pass that would wait for it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_CAPTURE_H
#define ECHO_RUNTIME_CPU_GRAPHS_CAPTURE_H

#include "runtime/abi/CpuLibrary.h"
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Launches.h"

namespace echo::cpu {

/// How many streams are captured. Where none is, nothing below costs more than
/// this load.
extern std::atomic<unsigned> CapturedStreams;
inline bool anyCapture() {
  return CapturedStreams.load(std::memory_order_acquire) != 0;
}
inline bool isCapturing(const Stream &S) {
  return anyCapture() && S.Capture.load(std::memory_order_acquire);
}

/// What a call does with its stream.
enum class Use {
  Queue, ///< gives it work that a graph can hold
  Other, ///< anything else: it waits, asks, calls back
};
cudaError_t enterStreamSlow(Stream &S, Use How);
/// Refuses a call that uses \p S: an invalid capture, what no graph can hold,
/// or the legacy stream while a blocking stream is captured.
inline cudaError_t enterStream(Stream &S, Use How) {
  return anyCapture() ? enterStreamSlow(S, How) : cudaSuccess;
}

/// What a call could do to a capture that is not of its stream.
enum class Risk {
  Unsafe, ///< would not be replayed: refused by modes and threads
  Device, ///< waits for all streams, captured ones among them: refused always
};
cudaError_t enterRiskySlow(Risk R);
/// Refuses a call because of captures, and invalidates these.
inline cudaError_t enterRisky(Risk R) {
  return anyCapture() ? enterRiskySlow(R) : cudaSuccess;
}
/// As api(), for calls of this risk.
template <typename Fn>
[[gnu::always_inline]] inline cudaError_t riskyApi(Risk R, Fn &&Body) {
  return api([&] {
    cudaError_t Error = enterRisky(R);
    return Error == cudaSuccess ? Body() : Error;
  });
}

cudaError_t refusedInSlow(Stream &S, cudaError_t Error);
/// A call for \p S failed with \p Error, which it returns: that ends a capture.
inline cudaError_t refusedIn(Stream &S, cudaError_t Error) {
  return anyCapture() ? refusedInSlow(S, Error) : Error;
}

// Each adds a node to the graph that \p S is captured into.
cudaError_t captureCopy(const CopyShape &C, const CopySides &Sides, Stream &S);
cudaError_t captureSet(const SetShape &C, bool Managed, Stream &S);
cudaError_t captureKernel(const void *Stub, const EchoCpuKernel &Kernel,
                          const LaunchShape &L, void *const *Args, Stream &S);
/// Takes \p Work, whatever happens.
cudaError_t captureLibrary(const EchoCpuWork &Work, Stream &S);
cudaError_t captureHost(cudaHostFn_t Fn, void *Data, Stream &S);
/// Allocates memory of the graph (GraphMemory.h).
cudaError_t captureAlloc(void **Pointer, size_t Bytes, Stream &S);
/// Frees memory of the same graph; other memory is refused.
cudaError_t captureFree(void *Pointer, Stream &S);

/// \p S is destroyed: it is captured no more.
void dropCapture(Stream &S);
/// cudaDeviceReset: no stream is.
void dropAllCaptures();

} // namespace echo::cpu

#endif
