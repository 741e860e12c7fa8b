//===- ArrayCopyApi.cpp - Copies from and to arrays -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemcpyToArray, cudaMemcpyFromArray, their two-dimensional forms and those
// between arrays; each comes with the variant for per-thread default streams.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/ArrayCopies.h"

using namespace echo::cpu;

/// Rows of memory that a call names; Rows may be InOnePiece.
struct Memory2D {
  char *At;
  size_t Pitch, Width, Rows;
};

static size_t rows(size_t Rows) { return Rows == InOnePiece ? 1 : Rows; }

[[gnu::always_inline]] static inline cudaError_t
toArray(ArrayPlace To, Memory2D From, CopyHow How) {
  return shapedCopy(
      [=](CopyShape &C) {
        C = {nullptr,         From.At,    From.Width,
             rows(From.Rows), From.Pitch, From.Pitch};
        if (!writesDevice(How.Kind))
          return cudaErrorInvalidMemcpyDirection;
        cudaError_t Error = locate(To, From.Width, From.Rows, C.Dst);
        if (Error == cudaSuccess)
          C.DstPitch = To.Array->Image.pitch;
        return Error;
      },
      How);
}

[[gnu::always_inline]] static inline cudaError_t
fromArray(Memory2D To, ArrayPlace From, CopyHow How) {
  return shapedCopy(
      [=](CopyShape &C) {
        C = {To.At, nullptr, To.Width, rows(To.Rows), To.Pitch, To.Pitch};
        if (!readsDevice(How.Kind))
          return cudaErrorInvalidMemcpyDirection;
        char *Src = nullptr;
        cudaError_t Error = locate(From, To.Width, To.Rows, Src);
        C.Src = Src;
        if (Error == cudaSuccess)
          C.SrcPitch = From.Array->Image.pitch;
        return Error;
      },
      How);
}

[[gnu::always_inline]] static inline cudaError_t
betweenArrays(ArrayPlace To, ArrayPlace From, size_t Width, size_t Rows,
              CopyHow How) {
  return shapedCopy(
      [=](CopyShape &C) {
        if (!writesDevice(How.Kind) || !readsDevice(How.Kind))
          return cudaErrorInvalidMemcpyDirection;
        char *Dst = nullptr, *Src = nullptr;
        cudaError_t Error = locate(To, Width, Rows, Dst);
        if (Error == cudaSuccess)
          Error = locate(From, Width, Rows, Src);
        C = {Dst, Src, Width, rows(Rows)};
        if (Error == cudaSuccess) {
          C.DstPitch = To.Array->Image.pitch;
          C.SrcPitch = From.Array->Image.pitch;
        }
        return Error;
      },
      How);
}

static Memory2D memory(const void *At, size_t Bytes) {
  return {static_cast<char *>(const_cast<void *>(At)), 0, Bytes, InOnePiece};
}
static Memory2D memory(const void *At, size_t Pitch, size_t Width,
                       size_t Rows) {
  return {static_cast<char *>(const_cast<void *>(At)), Pitch, Width, Rows};
}

extern "C" {

cudaError_t cudaMemcpyToArray(cudaArray_t To, size_t X, size_t Y,
                              const void *From, size_t Bytes,
                              cudaMemcpyKind Kind) {
  return toArray({To, X, Y}, memory(From, Bytes),
                 {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t To, size_t X, size_t Y,
                                   const void *From, size_t Bytes,
                                   cudaMemcpyKind Kind) {
  return toArray({To, X, Y}, memory(From, Bytes), {Kind, nullptr, true, false});
}

cudaError_t cudaMemcpyFromArray(void *To, cudaArray_const_t From, size_t X,
                                size_t Y, size_t Bytes, cudaMemcpyKind Kind) {
  return fromArray(memory(To, Bytes), {From, X, Y},
                   {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpyFromArray_ptds(void *To, cudaArray_const_t From, size_t X,
                                     size_t Y, size_t Bytes,
                                     cudaMemcpyKind Kind) {
  return fromArray(memory(To, Bytes), {From, X, Y},
                   {Kind, nullptr, true, false});
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t To, size_t X, size_t Y,
                                const void *From, size_t Pitch, size_t Width,
                                size_t Rows, cudaMemcpyKind Kind) {
  return toArray({To, X, Y}, memory(From, Pitch, Width, Rows),
                 {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t To, size_t X, size_t Y,
                                     const void *From, size_t Pitch,
                                     size_t Width, size_t Rows,
                                     cudaMemcpyKind Kind) {
  return toArray({To, X, Y}, memory(From, Pitch, Width, Rows),
                 {Kind, nullptr, true, false});
}

cudaError_t cudaMemcpy2DFromArray(void *To, size_t Pitch,
                                  cudaArray_const_t From, size_t X, size_t Y,
                                  size_t Width, size_t Rows,
                                  cudaMemcpyKind Kind) {
  return fromArray(memory(To, Pitch, Width, Rows), {From, X, Y},
                   {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpy2DFromArray_ptds(void *To, size_t Pitch,
                                       cudaArray_const_t From, size_t X,
                                       size_t Y, size_t Width, size_t Rows,
                                       cudaMemcpyKind Kind) {
  return fromArray(memory(To, Pitch, Width, Rows), {From, X, Y},
                   {Kind, nullptr, true, false});
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t To, size_t X, size_t Y,
                                   const void *From, size_t Bytes,
                                   cudaMemcpyKind Kind, cudaStream_t S) {
  return toArray({To, X, Y}, memory(From, Bytes), {Kind, S, false, true});
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t To, size_t X, size_t Y,
                                        const void *From, size_t Bytes,
                                        cudaMemcpyKind Kind, cudaStream_t S) {
  return toArray({To, X, Y}, memory(From, Bytes), {Kind, S, true, true});
}

cudaError_t cudaMemcpyFromArrayAsync(void *To, cudaArray_const_t From, size_t X,
                                     size_t Y, size_t Bytes,
                                     cudaMemcpyKind Kind, cudaStream_t S) {
  return fromArray(memory(To, Bytes), {From, X, Y}, {Kind, S, false, true});
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *To, cudaArray_const_t From,
                                          size_t X, size_t Y, size_t Bytes,
                                          cudaMemcpyKind Kind, cudaStream_t S) {
  return fromArray(memory(To, Bytes), {From, X, Y}, {Kind, S, true, true});
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t To, size_t X, size_t Y,
                                     const void *From, size_t Pitch,
                                     size_t Width, size_t Rows,
                                     cudaMemcpyKind Kind, cudaStream_t S) {
  return toArray({To, X, Y}, memory(From, Pitch, Width, Rows),
                 {Kind, S, false, true});
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t To, size_t X, size_t Y,
                                          const void *From, size_t Pitch,
                                          size_t Width, size_t Rows,
                                          cudaMemcpyKind Kind, cudaStream_t S) {
  return toArray({To, X, Y}, memory(From, Pitch, Width, Rows),
                 {Kind, S, true, true});
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *To, size_t Pitch,
                                       cudaArray_const_t From, size_t X,
                                       size_t Y, size_t Width, size_t Rows,
                                       cudaMemcpyKind Kind, cudaStream_t S) {
  return fromArray(memory(To, Pitch, Width, Rows), {From, X, Y},
                   {Kind, S, false, true});
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *To, size_t Pitch,
                                            cudaArray_const_t From, size_t X,
                                            size_t Y, size_t Width, size_t Rows,
                                            cudaMemcpyKind Kind,
                                            cudaStream_t S) {
  return fromArray(memory(To, Pitch, Width, Rows), {From, X, Y},
                   {Kind, S, true, true});
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t To, size_t ToX, size_t ToY,
                                   cudaArray_const_t From, size_t X, size_t Y,
                                   size_t Bytes, cudaMemcpyKind Kind) {
  return betweenArrays({To, ToX, ToY}, {From, X, Y}, Bytes, InOnePiece,
                       {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t To, size_t ToX, size_t ToY,
                                        cudaArray_const_t From, size_t X,
                                        size_t Y, size_t Bytes,
                                        cudaMemcpyKind Kind) {
  return betweenArrays({To, ToX, ToY}, {From, X, Y}, Bytes, InOnePiece,
                       {Kind, nullptr, true, false});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t To, size_t ToX, size_t ToY,
                                     cudaArray_const_t From, size_t X, size_t Y,
                                     size_t Width, size_t Rows,
                                     cudaMemcpyKind Kind) {
  return betweenArrays({To, ToX, ToY}, {From, X, Y}, Width, Rows,
                       {Kind, nullptr, false, false});
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t To, size_t ToX,
                                          size_t ToY, cudaArray_const_t From,
                                          size_t X, size_t Y, size_t Width,
                                          size_t Rows, cudaMemcpyKind Kind) {
  return betweenArrays({To, ToX, ToY}, {From, X, Y}, Width, Rows,
                       {Kind, nullptr, true, false});
}

} // extern "C"
