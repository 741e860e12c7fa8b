//===- ArrayCopies.h - Which bytes a copy of an array means -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, from arrays, offsets and extents, which rows a copy moves. What a
// copy waits for is decided where all copies are (Copies.h): an array is memory
// of the device. It must never give a shape that leaves its array.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_ARRAYCOPIES_H
#define ECHO_RUNTIME_CPU_ARRAYCOPIES_H

#include "runtime/cpu/Arrays.h"
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Device.h"

namespace echo::cpu {

/// A place in an array: bytes in a row, rows in its first slice.
struct ArrayPlace {
  cudaArray_const_t Array;
  size_t X, Y;
};

/// A number of rows: the bytes go on from row to row.
inline constexpr size_t InOnePiece = SIZE_MAX;
/// Where a copy of \p Rows rows of \p Bytes begins in an array of one or two
/// dimensions.
cudaError_t locate(ArrayPlace At, size_t Bytes, size_t Rows, char *&Out);
/// The shape of cudaMemcpy3D.
cudaError_t shape3D(const cudaMemcpy3DParms &P, CopyShape &Out);

/// May a copy of this kind write an array?
inline bool writesDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice ||
         Kind == cudaMemcpyDefault;
}
/// May a copy of this kind read an array?
inline bool readsDevice(cudaMemcpyKind Kind) {
  return Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice ||
         Kind == cudaMemcpyDefault;
}

/// How a call copies, beside what it copies.
struct CopyHow {
  cudaMemcpyKind Kind;
  cudaStream_t Stream = nullptr;
  bool PerThread = false;
  bool Async = false;
};

/// A copy whose shape \p Shape finds, or refuses. Always inlined, as api().
template <typename Fn>
[[gnu::always_inline]] inline cudaError_t shapedCopy(Fn Shape, CopyHow How) {
  CopyShape C = {};
  auto Body = [&] {
    cudaError_t Error = Shape(C);
    return Error == cudaSuccess
               ? copy(C, How.Kind, findStream(How.Stream, How.PerThread),
                      How.Async)
               : Error;
  };
  cudaError_t Error = How.Async ? api(Body) : api(FlushAt::BlockingCopy, Body);
  if (Error != cudaSuccess && Shape(C) == cudaSuccess)
    spoilDownload(C, How.Kind);
  return Error;
}

} // namespace echo::cpu

#endif
