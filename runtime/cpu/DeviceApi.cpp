//===- DeviceApi.cpp - Questions about the device -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGetDevice*, versions, flags, peers and reset. There is one device.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Arrays.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/Textures.h"
#include "runtime/cpu/graphs/Capture.h"

#include <cstdio>
#include <cstring>

using namespace echo::cpu;

static const char BusId[] = "0000:00:00.0";
static std::atomic<unsigned> DeviceFlags{cudaDeviceMapHost};
static std::atomic<int> CacheConfig{0}, SharedConfig{0};

static cudaError_t reset() {
  // A failed device has dropped its work already; a reset brings it back.
  if (inForkedChild() || enter() == cudaErrorInitializationError)
    return recordError(cudaErrorInitializationError);
  dropAllCaptures();
  waitDevice();
  flushPrintf(FlushAt::Reset);
  forgetTextures();
  forgetArrays();
  releaseAllMemory();
  clearDeviceFailure();
  takeLastError();
  return cudaSuccess;
}

template <typename T> static cudaError_t answer(T *Out, T Value) {
  return api([&] {
    if (!Out)
      return cudaErrorInvalidValue;
    *Out = Value;
    return cudaSuccess;
  });
}

static cudaError_t checkPeer(int Device, int Peer) {
  return isDevice(Device) && isDevice(Peer) ? cudaSuccess
                                            : cudaErrorInvalidDevice;
}

extern "C" {

cudaError_t cudaGetDeviceCount(int *Count) { return answer(Count, 1); }
cudaError_t cudaGetDevice(int *Device) { return answer(Device, 0); }
cudaError_t cudaSetDevice(int Device) {
  return api(
      [&] { return isDevice(Device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaInitDevice(int Device, unsigned, unsigned) {
  return cudaSetDevice(Device);
}

cudaError_t cudaSetDeviceFlags(unsigned Flags) {
  return api([&] {
    if (Flags & ~unsigned(cudaDeviceMask))
      return cudaErrorInvalidValue;
    DeviceFlags.store(Flags | cudaDeviceMapHost);
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned *Flags) {
  return answer(Flags, DeviceFlags.load());
}

cudaError_t cudaSetValidDevices(int *Devices, int Count) {
  return api([&] {
    if (Count && !Devices)
      return cudaErrorInvalidValue;
    for (int I = 0; I < Count; ++I)
      if (!isDevice(Devices[I]))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
cudaError_t cudaChooseDevice(int *Device, const void *Properties) {
  return api([&] {
    if (!Device || !Properties)
      return cudaErrorInvalidValue;
    *Device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *Value, int Number, int Device) {
  return api([&] {
    if (!isDevice(Device))
      return cudaErrorInvalidDevice;
    return Value && attributeByNumber(Number, *Value) ? cudaSuccess
                                                      : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char *Out, int Length, int Device) {
  return api([&] {
    if (!isDevice(Device))
      return cudaErrorInvalidDevice;
    if (!Out || Length < int(sizeof(BusId)))
      return cudaErrorInvalidValue;
    memcpy(Out, BusId, sizeof(BusId));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int *Device, const char *Id) {
  return api([&] {
    unsigned Domain = 0, Bus, Slot, Function;
    if (!Device || !Id)
      return cudaErrorInvalidValue;
    if (sscanf(Id, "%x:%x:%x.%x", &Domain, &Bus, &Slot, &Function) != 4 ||
        (Domain | Bus | Slot | Function))
      return cudaErrorInvalidDevice;
    *Device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(int *Out) {
  return answer(Out, CacheConfig.load());
}
cudaError_t cudaDeviceSetCacheConfig(int Value) {
  return api([&] {
    CacheConfig.store(Value);
    return cudaSuccess;
  });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return api([] { return cudaSuccess; }); // there is none
}
cudaError_t cudaDeviceGetSharedMemConfig(int *Out) {
  return answer(Out, SharedConfig.load());
}
cudaError_t cudaDeviceSetSharedMemConfig(int Value) {
  return api([&] {
    SharedConfig.store(Value);
    return cudaSuccess;
  });
}

// A device is no peer of itself.
cudaError_t cudaDeviceCanAccessPeer(int *Can, int Device, int Peer) {
  return api([&] {
    if (!Can)
      return cudaErrorInvalidValue;
    *Can = 0;
    return checkPeer(Device, Peer);
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return api([&] { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int Peer) {
  return api([&] {
    return isDevice(Peer) ? cudaErrorPeerAccessNotEnabled
                          : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int *Value, int, int From, int To) {
  return api([&] {
    if (!Value)
      return cudaErrorInvalidValue;
    *Value = 0;
    // As CUDA: the two devices must differ.
    return From == To ? cudaErrorInvalidDevice : checkPeer(From, To);
  });
}

cudaError_t cudaDeviceReset() { return reset(); }
cudaError_t cudaThreadExit() { return reset(); }

cudaError_t cudaDriverGetVersion(int *Out) {
  return answer(Out, ECHO_CUDA_VERSION);
}
cudaError_t cudaRuntimeGetVersion(int *Out) {
  passMark();
  return answer(Out, ECHO_CUDA_VERSION);
}

// There is nothing to profile for; a profiler would be attached otherwise.
cudaError_t cudaProfilerStart() {
  return api([] { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return api([] { return cudaSuccess; });
}

} // extern "C"
