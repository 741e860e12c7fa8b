//===- TextureApi.cpp - Calls that make texture and surface objects -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaCreateTextureObject, cudaCreateSurfaceObject and the calls that destroy
// what they make. An object lives until then. Queued kernels may still use it,
// so a call that destroys it waits as cudaFree does.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/LiveSet.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/Textures.h"
#include "runtime/cpu/graphs/Capture.h"

using namespace echo::cpu;

static LiveSet<EchoCpuTexture> &textures() {
  static auto *Set = new LiveSet<EchoCpuTexture>;
  return *Set;
}
static LiveSet<EchoCpuSurface> &surfaces() {
  static auto *Set = new LiveSet<EchoCpuSurface>;
  return *Set;
}

template <typename T>
static cudaError_t destroy(LiveSet<T> &Set, unsigned long long Object) {
  const auto *Handle = reinterpret_cast<const T *>(Object);
  if (!Set.contains(Handle))
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterRisky(Risk::Unsafe))
    return Error;
  config().Lenient ? waitDevice() : settleDevice();
  HideSync Hide;
  Set.take(Handle).reset();
  return enter();
}

void echo::cpu::forgetTextures() {
  textures().clear();
  surfaces().clear();
}

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *Out,
                                    const cudaResourceDesc *Of,
                                    const cudaTextureDesc *How,
                                    const cudaResourceViewDesc *View) {
  return api([&] {
    if (!Out || !Of || !How)
      return cudaErrorInvalidValue;
    if (View)
      return cudaErrorNotSupported;
    HideSync Hide;
    auto Texture = std::make_unique<EchoCpuTexture>();
    cudaError_t Error = describeTexture(*Of, *How, *Texture);
    if (Error == cudaSuccess)
      *Out = reinterpret_cast<uintptr_t>(textures().add(std::move(Texture)));
    return Error;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t Object) {
  return api([&] { return destroy(textures(), Object); });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *Out,
                                    const cudaResourceDesc *Of) {
  return api([&] {
    if (!Out || !Of)
      return cudaErrorInvalidValue;
    HideSync Hide;
    auto Surface = std::make_unique<EchoCpuSurface>();
    cudaError_t Error = describeSurface(*Of, *Surface);
    if (Error == cudaSuccess)
      *Out = reinterpret_cast<uintptr_t>(surfaces().add(std::move(Surface)));
    return Error;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t Object) {
  return api([&] { return destroy(surfaces(), Object); });
}

} // extern "C"
