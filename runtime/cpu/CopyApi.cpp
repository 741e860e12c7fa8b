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

/// The end of a copy from \p C that returns \p Error.
static cudaError_t ended(cudaError_t Error, const CopyShape &C,
                         cudaMemcpyKind Kind) {
  if (Error != cudaSuccess)
    spoilDownload(C, Kind);
  return Error;
}

extern "C" {

cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Bytes,
                       cudaMemcpyKind Kind) {
  return ended(api(FlushAt::BlockingCopy,
                   [&] {
                     return copy(shape(Dst, Src, Bytes), Kind,
                                 findStream(nullptr, false), false);
                   }),
               shape(Dst, Src, Bytes), Kind);
}
cudaError_t cudaMemcpy_ptds(void *Dst, const void *Src, size_t Bytes,
                            cudaMemcpyKind Kind) {
  return ended(api(FlushAt::BlockingCopy,
                   [&] {
                     return copy(shape(Dst, Src, Bytes), Kind,
                                 findStream(nullptr, true), false);
                   }),
               shape(Dst, Src, Bytes), Kind);
}

cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t S) {
  return ended(api([&] {
                 return copy(shape(Dst, Src, Bytes), Kind, findStream(S, false),
                             true);
               }),
               shape(Dst, Src, Bytes), Kind);
}
cudaError_t cudaMemcpyAsync_ptsz(void *Dst, const void *Src, size_t Bytes,
                                 cudaMemcpyKind Kind, cudaStream_t S) {
  return ended(api([&] {
                 return copy(shape(Dst, Src, Bytes), Kind, findStream(S, true),
                             true);
               }),
               shape(Dst, Src, Bytes), Kind);
}

cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) {
  return ended(api(FlushAt::BlockingCopy,
                   [&] {
                     return copy(
                         shape(Dst, DstPitch, Src, SrcPitch, Width, Height),
                         Kind, findStream(nullptr, false), false);
                   }),
               shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind);
}
cudaError_t cudaMemcpy2D_ptds(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind) {
  return ended(api(FlushAt::BlockingCopy,
                   [&] {
                     return copy(
                         shape(Dst, DstPitch, Src, SrcPitch, Width, Height),
                         Kind, findStream(nullptr, true), false);
                   }),
               shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind);
}

cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind, cudaStream_t S) {
  return ended(api([&] {
                 return copy(shape(Dst, DstPitch, Src, SrcPitch, Width, Height),
                             Kind, findStream(S, false), true);
               }),
               shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind);
}
cudaError_t cudaMemcpy2DAsync_ptsz(void *Dst, size_t DstPitch, const void *Src,
                                   size_t SrcPitch, size_t Width, size_t Height,
                                   cudaMemcpyKind Kind, cudaStream_t S) {
  return ended(api([&] {
                 return copy(shape(Dst, DstPitch, Src, SrcPitch, Width, Height),
                             Kind, findStream(S, true), true);
               }),
               shape(Dst, DstPitch, Src, SrcPitch, Width, Height), Kind);
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
    return set({static_cast<char *>(Dst), Value, Bytes},
               findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemset_ptds(void *Dst, int Value, size_t Bytes) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Bytes},
               findStream(nullptr, true), false);
  });
}

cudaError_t cudaMemsetAsync(void *Dst, int Value, size_t Bytes,
                            cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Bytes}, findStream(S, false),
               true);
  });
}
cudaError_t cudaMemsetAsync_ptsz(void *Dst, int Value, size_t Bytes,
                                 cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Bytes}, findStream(S, true),
               true);
  });
}

cudaError_t cudaMemset2D(void *Dst, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Width, Height, Pitch},
               findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemset2D_ptds(void *Dst, size_t Pitch, int Value, size_t Width,
                              size_t Height) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Width, Height, Pitch},
               findStream(nullptr, true), false);
  });
}

cudaError_t cudaMemset2DAsync(void *Dst, size_t Pitch, int Value, size_t Width,
                              size_t Height, cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Width, Height, Pitch},
               findStream(S, false), true);
  });
}
cudaError_t cudaMemset2DAsync_ptsz(void *Dst, size_t Pitch, int Value,
                                   size_t Width, size_t Height,
                                   cudaStream_t S) {
  return api([&] {
    return set({static_cast<char *>(Dst), Value, Width, Height, Pitch},
               findStream(S, true), true);
  });
}

} // extern "C"
