//===- LaunchApi.cpp - Launches -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues a launch that is right (Launches.h), or puts it into a graph.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Grid.h"
#include "runtime/cpu/Launches.h"
#include "runtime/cpu/LibraryWork.h"
#include "runtime/cpu/PerThread.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

#include <utility>
#include <vector>

using namespace echo::cpu;

namespace {
struct CallConfiguration {
  dim3 Grid, Block;
  size_t Shared;
  cudaStream_t Stream;
  void *Caller;
};
} // namespace

/// Under ThreadSanitizer: the place of the <<<>>> whose configuration the stub
/// popped, until its launch.
static thread_local void *LaunchPlace = nullptr;

/// Shared memory of a launch that has no configuration. nvcc's stub does not
/// launch then, clang's does.
static constexpr size_t NoConfiguration = SIZE_MAX;

/// What <<<>>> pushed and the stub has not yet popped.
static std::vector<CallConfiguration> &callStack() {
  return PerThread<std::vector<CallConfiguration>>::get();
}

static cudaError_t launch(const void *Stub, dim3 Grid, dim3 Block, void **Args,
                          size_t Shared, Stream *S, bool Cooperative) {
  flushPrintf(FlushAt::Launch);
  if (void *Place = std::exchange(LaunchPlace, nullptr))
    ApiCaller = Place;
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Shared == NoConfiguration)
    return cudaErrorMissingConfiguration;
  if (fails(Fails::Launch))
    return cudaErrorLaunchOutOfResources;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (Stub == libraryStub())
    return launchLibraryWork(Args, *S);
  const LaunchShape Shape = {Grid, Block, Shared, Cooperative};
  const EchoCpuKernel *Kernel = nullptr;
  if (cudaError_t Error = checkLaunch(Stub, Shape, Args, Kernel))
    return refusedIn(*S, Error);
  if (isCapturing(*S))
    return captureKernel(Stub, *Kernel, Shape, Args, *S);
  noteLaunch();
  if (fails(Fails::Trap)) {
    submit(*S, makeOp([] { failDevice(cudaErrorLaunchFailure); }));
    return cudaSuccess;
  }
  submit(*S, new GridOp(*Kernel, Grid, Block, Shared, Args, Cooperative));
  return cudaSuccess;
}

static cudaError_t launchEx(const cudaLaunchConfig_t *Config, const void *Stub,
                            void **Args, bool PerThread) {
  if (!Config || (Config->numAttrs && !Config->attrs))
    return cudaErrorInvalidValue;
  bool Cooperative = false;
  for (unsigned I = 0; I != Config->numAttrs; ++I) {
    const cudaLaunchAttribute &A = Config->attrs[I];
    switch (A.id) {
    case cudaLaunchAttributeCooperative:
      Cooperative = A.val.cooperative;
      break;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributePriority:
      break;
    default:
      // Clusters, programmatic launches and the rest change what runs.
      return cudaErrorNotSupported;
    }
  }
  return launch(Stub, Config->gridDim, Config->blockDim, Args,
                Config->dynamicSmemBytes, findStream(Config->stream, PerThread),
                Cooperative);
}

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     cudaStream_t S) {
  callStack().push_back({Grid, Block, Shared, S,
                         underCheck() ? const_cast<void *>(echo_check_here())
                                      : __builtin_return_address(0)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *S) {
  auto &Stack = callStack();
  // As on an H100, also the error that is kept.
  if (Stack.empty()) {
    *Grid = *Block = {0, 0, 0};
    *Shared = NoConfiguration;
    *static_cast<cudaStream_t *>(S) = nullptr;
    return recordError(cudaErrorMissingConfiguration);
  }
  CallConfiguration C = Stack.back();
  Stack.pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<cudaStream_t *>(S) = C.Stream;
  if (underTsan())
    LaunchPlace = C.Caller;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *Stub, dim3 Grid, dim3 Block,
                             void **Args, size_t Shared, cudaStream_t S) {
  return api([&] {
    return launch(Stub, Grid, Block, Args, Shared, findStream(S, false), false);
  });
}
cudaError_t cudaLaunchKernel_ptsz(const void *Stub, dim3 Grid, dim3 Block,
                                  void **Args, size_t Shared, cudaStream_t S) {
  return api([&] {
    return launch(Stub, Grid, Block, Args, Shared, findStream(S, true), false);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void *Stub, dim3 Grid, dim3 Block,
                                        void **Args, size_t Shared,
                                        cudaStream_t S) {
  return api([&] {
    return launch(Stub, Grid, Block, Args, Shared, findStream(S, false), true);
  });
}
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *Stub, dim3 Grid,
                                             dim3 Block, void **Args,
                                             size_t Shared, cudaStream_t S) {
  return api([&] {
    return launch(Stub, Grid, Block, Args, Shared, findStream(S, true), true);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Stub, void **Args) {
  return api([&] { return launchEx(Config, Stub, Args, false); });
}
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *Config,
                                     const void *Stub, void **Args) {
  return api([&] { return launchEx(Config, Stub, Args, true); });
}

} // extern "C"
