//===- SymbolApi.cpp - Module variables -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to and from __device__ and __constant__ variables, by their host
// shadows.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Registry.h"

using namespace echo::cpu;

static cudaError_t locate(const void *Symbol, size_t Bytes, size_t Offset,
                          char *&Out) {
  void *Address = nullptr;
  size_t Size = 0;
  if (!findVariable(Symbol, Address, Size))
    return cudaErrorInvalidSymbol;
  if (Offset > Size || Bytes > Size - Offset)
    return cudaErrorInvalidValue;
  Out = static_cast<char *>(Address) + Offset;
  return cudaSuccess;
}

static cudaError_t toSymbol(const void *Symbol, const void *Src, size_t Bytes,
                            size_t Offset, cudaMemcpyKind Kind, Stream *S,
                            bool Async) {
  if (Kind != cudaMemcpyHostToDevice && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  char *Dst = nullptr;
  if (cudaError_t Error = locate(Symbol, Bytes, Offset, Dst))
    return Error;
  return copy({Dst, static_cast<const char *>(Src), Bytes}, Kind, S, Async);
}

static cudaError_t fromSymbol(void *Dst, const void *Symbol, size_t Bytes,
                              size_t Offset, cudaMemcpyKind Kind, Stream *S,
                              bool Async) {
  if (Kind != cudaMemcpyDeviceToHost && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  char *Src = nullptr;
  if (cudaError_t Error = locate(Symbol, Bytes, Offset, Src))
    return Error;
  return copy({static_cast<char *>(Dst), Src, Bytes}, Kind, S, Async);
}

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *Src,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  return api(FlushAt::BlockingCopy, [&] {
    return toSymbol(Symbol, Src, Bytes, Offset, Kind,
                    findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemcpyToSymbol_ptds(const void *Symbol, const void *Src,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind) {
  return api(FlushAt::BlockingCopy, [&] {
    return toSymbol(Symbol, Src, Bytes, Offset, Kind, findStream(nullptr, true),
                    false);
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *Src,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t S) {
  return api([&] {
    return toSymbol(Symbol, Src, Bytes, Offset, Kind, findStream(S, false),
                    true);
  });
}
cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *Symbol, const void *Src,
                                         size_t Bytes, size_t Offset,
                                         cudaMemcpyKind Kind, cudaStream_t S) {
  return api([&] {
    return toSymbol(Symbol, Src, Bytes, Offset, Kind, findStream(S, true),
                    true);
  });
}

cudaError_t cudaMemcpyFromSymbol(void *Dst, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  return api(FlushAt::BlockingCopy, [&] {
    return fromSymbol(Dst, Symbol, Bytes, Offset, Kind,
                      findStream(nullptr, false), false);
  });
}
cudaError_t cudaMemcpyFromSymbol_ptds(void *Dst, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind) {
  return api(FlushAt::BlockingCopy, [&] {
    return fromSymbol(Dst, Symbol, Bytes, Offset, Kind,
                      findStream(nullptr, true), false);
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void *Dst, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind, cudaStream_t S) {
  return api([&] {
    return fromSymbol(Dst, Symbol, Bytes, Offset, Kind, findStream(S, false),
                      true);
  });
}
cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *Dst, const void *Symbol,
                                           size_t Bytes, size_t Offset,
                                           cudaMemcpyKind Kind,
                                           cudaStream_t S) {
  return api([&] {
    return fromSymbol(Dst, Symbol, Bytes, Offset, Kind, findStream(S, true),
                      true);
  });
}

cudaError_t cudaGetSymbolAddress(void **Out, const void *Symbol) {
  return api([&] {
    size_t Bytes;
    if (!Out)
      return cudaErrorInvalidValue;
    return findVariable(Symbol, *Out, Bytes) ? cudaSuccess
                                             : cudaErrorInvalidSymbol;
  });
}

cudaError_t cudaGetSymbolSize(size_t *Out, const void *Symbol) {
  return api([&] {
    void *Address;
    if (!Out)
      return cudaErrorInvalidValue;
    return findVariable(Symbol, Address, *Out) ? cudaSuccess
                                               : cudaErrorInvalidSymbol;
  });
}

} // extern "C"
