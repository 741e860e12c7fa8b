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
/// What a download from a failed device leaves in host memory is open. Where
/// poison of that kind is on, it is a pattern.
void spoilDownload(const CopyShape &C, cudaMemcpyKind Kind);

/// Rows of bytes to set.
struct SetShape {
  char *Dst;
  int Value;
  size_t Width;
  size_t Height = 1;
  size_t Pitch = 0;
};
cudaError_t set(SetShape C, Stream *S, bool Async);

} // namespace echo::cpu

#endif
