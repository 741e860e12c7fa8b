//===- ArrayCopies.cpp - Which bytes a copy of an array means -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of copies from and to arrays. See ArrayCopies.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/ArrayCopies.h"

namespace echo::cpu {

/// True if [From, From + Count) lies in [0, Size).
static bool inside(size_t From, size_t Count, size_t Size) {
  return Count <= Size && From <= Size - Count;
}

cudaError_t locate(ArrayPlace At, size_t Bytes, size_t Rows, char *&Out) {
  if (!isArray(At.Array) || At.Array->Extent.depth)
    return cudaErrorInvalidValue;
  const EchoCpuImage &I = At.Array->Image;
  const size_t Offset = At.Y * I.pitch + At.X;
  const bool Fits =
      Rows == InOnePiece
          ? At.X < I.pitch && At.Y < I.height && inside(Offset, Bytes, I.slice)
          : inside(At.X, Bytes, I.pitch) && inside(At.Y, Rows, I.height);
  if (!Fits)
    return cudaErrorInvalidValue;
  Out = I.data + Offset;
  return cudaSuccess;
}

namespace {
/// One side of a three-dimensional copy.
struct Side3D {
  char *Base;
  size_t Pitch, Slice;
};
} // namespace

/// \p Texel is the size of what extents and positions of arrays count.
static cudaError_t sideOf(cudaArray_const_t Array, const cudaPitchedPtr &Memory,
                          const cudaPos &Pos, const cudaExtent &E, size_t Texel,
                          Side3D &Out) {
  size_t X = Pos.x;
  if (Array) {
    const EchoCpuImage &I = Array->Image;
    if (I.texelBytes != Texel || !inside(Pos.x, E.width, I.width) ||
        !inside(Pos.y, E.height, I.height) || !inside(Pos.z, E.depth, I.depth))
      return cudaErrorInvalidValue;
    Out = {I.data, I.pitch, I.slice};
    X *= Texel;
  } else {
    if (E.depth > 1 && Memory.ysize < Pos.y + E.height)
      return cudaErrorInvalidValue;
    Out = {static_cast<char *>(Memory.ptr), Memory.pitch,
           Memory.pitch * Memory.ysize};
  }
  Out.Base += Pos.z * Out.Slice + Pos.y * Out.Pitch + X;
  return cudaSuccess;
}

cudaError_t shape3D(const cudaMemcpy3DParms &P, CopyShape &Out) {
  // Each side is an array or memory, not both.
  if (!P.srcArray == !P.srcPtr.ptr || !P.dstArray == !P.dstPtr.ptr ||
      (P.srcArray && !isArray(P.srcArray)) ||
      (P.dstArray && !isArray(P.dstArray)))
    return cudaErrorInvalidValue;
  if ((P.srcArray && !readsDevice(P.kind)) ||
      (P.dstArray && !writesDevice(P.kind)))
    return cudaErrorInvalidMemcpyDirection;
  const size_t Texel = P.srcArray   ? P.srcArray->Image.texelBytes
                       : P.dstArray ? P.dstArray->Image.texelBytes
                                    : 1;
  const cudaExtent &E = P.extent;
  Side3D Src, Dst;
  if (cudaError_t Error = sideOf(P.srcArray, P.srcPtr, P.srcPos, E, Texel, Src))
    return Error;
  if (cudaError_t Error = sideOf(P.dstArray, P.dstPtr, P.dstPos, E, Texel, Dst))
    return Error;
  Out = {Dst.Base,  Src.Base, E.width * Texel, E.height, Dst.Pitch,
         Src.Pitch, E.depth,  Dst.Slice,       Src.Slice};
  return cudaSuccess;
}

} // namespace echo::cpu
