//===- Copies.h - What a copy waits for ----------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, for each copy and set, when the host waits and what is staged, from
// the kinds of memory involved and whether the call is synchronous. The rules
// are those of CUDA's page "API synchronization behavior": never more
// synchronous than CUDA promises where that can be had, so that a missing wait
// shows. Under ThreadSanitizer the stream makes every access that is its own,
// and the host is ordered after exactly what CUDA promises, whatever it waits
// for in fact.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_COPIES_H
#define ECHO_RUNTIME_CPU_COPIES_H

#include "runtime/cpu/CudaTypes.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Streams.h"

namespace echo::cpu {

/// Rows of bytes to copy, and slices of rows.
struct CopyShape {
  char *Dst;
  const char *Src;
  size_t Width;
  size_t Height = 1;
  size_t DstPitch = 0;
  size_t SrcPitch = 0;
  size_t Depth = 1;
  size_t DstSlice = 0;
  size_t SrcSlice = 0;

  size_t bytes() const { return Width * Height * Depth; }
  /// The rows of slice \p I.
  CopyShape slice(size_t I) const {
    return {Dst + I * DstSlice,
            Src + I * SrcSlice,
            Width,
            Height,
            DstPitch,
            SrcPitch};
  }
};
cudaError_t copy(CopyShape C, cudaMemcpyKind Kind, Stream *S, bool Async);

/// What the two sides of a copy are.
struct CopySides {
  cudaMemcpyKind Kind; ///< never cudaMemcpyDefault
  MemKind Dst, Src;
  bool Empty; ///< nothing is to be copied
  bool managed() const { return isManaged(Dst) || isManaged(Src); }
};
/// Refuses what copy() refuses, but for its stream.
cudaError_t checkCopy(const CopyShape &C, cudaMemcpyKind Kind, CopySides &Out);
/// An operation that copies when its turn comes; \p Managed: managed memory.
Op *makeCopyOp(const CopyShape &C, bool Managed);
/// What a download from a failed device leaves in host memory is open. Where
/// poison of that kind is on, it is a pattern.
void spoilDownload(const CopyShape &C, cudaMemcpyKind Kind);

/// Rows of bytes to set.
struct SetShape {
  char *Dst;
  unsigned Value;
  size_t Width;
  size_t Height = 1;
  size_t Pitch = 0;
  unsigned Element = 1; ///< bytes that take the value: 1, 2 or 4
};
cudaError_t set(SetShape C, Stream *S, bool Async);
/// Refuses what set() refuses of a shape that is not empty; gives its memory.
cudaError_t checkSet(const SetShape &C, MemKind &Kind);
Op *makeSetOp(const SetShape &C, bool Managed);

} // namespace echo::cpu

#endif
