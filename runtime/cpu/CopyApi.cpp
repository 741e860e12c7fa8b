//===- CopyApi.cpp - Copy and set calls -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemcpy, cudaMemset and their forms; each comes with the variant for
// per-thread default streams.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Device.h"

using namespace echo::cpu;

static CopyShape shape(void *Dst, const void *Src, size_t Bytes) {
  return {static_cast<char *>(Dst), static_cast<const char *>(Src), Bytes};
}
static CopyShape shape(void *Dst, size_t DstPitch, const void *Src,
                       size_t SrcPitch, size_t Width, size_t Height) {
  return {static_cast<char *>(Dst),
          static_cast<const char *>(Src),
          Width,
          Height,
          DstPitch,
          SrcPitch};
}

/// All forms of cudaMemcpy but those between devices. Always inlined, as api().
[[gnu::always_inline]] static inline cudaError_t
copyCall(const CopyShape &C, cudaMemcpyKind Kind, cudaStream_t S,
         bool PerThread, bool Async) {
  auto Body = [&] { return copy(C, Kind, findStream(S, PerThread), Async); };
  cudaError_t Error = Async ? api(Body) : api(FlushAt::BlockingCopy, Body);
  if (Error != cudaSuccess)
    spoilDownload(C, Kind);
  return Error;
}

extern "C" {

cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Bytes,
                       cudaMemcpyKind Kind) {
  return copyCall(shape(Dst, Src, Bytes), Kind, nullptr, false, false);
}
cudaError_t cudaMemcpy_ptds(void *Dst, const void *Src, size_t Bytes,
                            cudaMemcpyKind Kind) {
  return copyCall(shape(Dst, Src, Bytes), Kind, nullptr, true, false);
}

cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t S) {
  return copyCall(shape(Dst, Src, Bytes), Kind, S, false, true);
}
cudaError_t cudaMemcpyAsync_ptsz(void *Dst, const void *Src, size_t Bytes,
                                 cudaMemcpyKind Kind, cudaStream_t S) {
  return copyCall(shape(Dst, Src, Bytes), Kind, S, true, true);
}

cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) {
  return copyCall(shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind,
                  nullptr, false, false);
}
cudaError_t cudaMemcpy2D_ptds(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind) {
  return copyCall(shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind,
                  nullptr, true, false);
}

cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind, cudaStream_t S) {
  return copyCall(shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind, S,
                  false, true);
}
cudaError_t cudaMemcpy2DAsync_ptsz(void *Dst, size_t DstPitch, const void *Src,
                                   size_t SrcPitch, size_t Width, size_t Height,
                                   cudaMemcpyKind Kind, cudaStream_t S) {
  return copyCall(shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind, S,
                  true, true);
}

cudaError_t cudaMemcpyPeer(void *Dst, int DstDevice, const void *Src,
                           int SrcDevice, size_t Bytes) {
  return api(FlushAt::BlockingCopy, [&] {
    if (!isDevice(DstDevice) || !isDevice(SrcDevice))
      return cudaErrorInvalidDevice;
    // Serialized with all work of both devices.
    waitDevice();
    cudaError_t Error = copy(shape(Dst, Src, Bytes), cudaMemcpyDeviceToDevice,
                             findStream(nullptr, false), false);
    waitDevice();
    return Error == cudaSuccess ? enter() : Error;
  });
}
cudaError_t cudaMemcpyPeerAsync(void *Dst, int DstDevice, const void *Src,
                                int SrcDevice, size_t Bytes, cudaStream_t S) {
  return api([&] {
    if (!isDevice(DstDevice) || !isDevice(SrcDevice))
      return cudaErrorInvalidDevice;
    return copy(shape(Dst, Src, Bytes), cudaMemcpyDeviceToDevice,
                findStream(S, false), true);
  });
}
cudaError_t cudaMemcpyPeerAsync_ptsz(void *Dst, int DstDevice, const void *Src,
                                     int SrcDevice, size_t Bytes,
                                     cudaStream_t S) {
  return api([&] {
    if (!isDevice(DstDevice) || !isDevice(SrcDevice))
      return cudaErrorInvalidDevice;
    return copy(shape(Dst, Src, Bytes), cudaMemcpyDeviceToDevice,
                findStream(S, true), true);
  });
}

cudaError_t cudaMemset(void *Dst, int Value, size_t Bytes) {
  return api([&] {
    return set({static_cast<char *>(Dst), unsigned(Value), Bytes},
               findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemset_ptds(void *Dst, int Value, size_t Bytes) {
  return api([&] {
    return set({static_cast<char *>(Dst), unsigned(Value), Bytes},
               findStream(nullptr, true), false);
  });
}

cudaError_t cudaMemsetAsync(void *Dst, int Value, size_t Bytes,
                            cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), unsigned(Value), Bytes},
               findStream(S, false), true);
  });
}
cudaError_t cudaMemsetAsync_ptsz(void *Dst, int Value, size_t Bytes,
                                 cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), unsigned(Value), Bytes},
               findStream(S, true), true);
  });
}

cudaError_t cudaMemset2D(void *Dst, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  return api([&] {
    return set(
        {static_cast<char *>(Dst), unsigned(Value), Width, Height, Pitch},
        findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemset2D_ptds(void *Dst, size_t Pitch, int Value, size_t Width,
                              size_t Height) {
  return api([&] {
    return set(
        {static_cast<char *>(Dst), unsigned(Value), Width, Height, Pitch},
        findStream(nullptr, true), false);
  });
}

cudaError_t cudaMemset2DAsync(void *Dst, size_t Pitch, int Value, size_t Width,
                              size_t Height, cudaStream_t S) {
  return api([&] {
    return set(
        {static_cast<char *>(Dst), unsigned(Value), Width, Height, Pitch},
        findStream(S, false), true);
  });
}
cudaError_t cudaMemset2DAsync_ptsz(void *Dst, size_t Pitch, int Value,
                                   size_t Width, size_t Height,
                                   cudaStream_t S) {
  return api([&] {
    return set(
        {static_cast<char *>(Dst), unsigned(Value), Width, Height, Pitch},
        findStream(S, true), true);
  });
}

} // extern "C"
