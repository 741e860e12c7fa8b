//===- Copies.cpp - Copies and sets ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries out copies and sets. See Copies.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Copies.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace echo::cpu {

/// Larger pageable sources are not staged: the call waits instead.
static constexpr size_t MaxStaged = 64 << 20;

static void copyRows(const CopyShape &C) {
  if (C.Height == 1 || (C.DstPitch == C.Width && C.SrcPitch == C.Width)) {
    memmove(C.Dst, C.Src, C.Width * C.Height);
    return;
  }
  for (size_t Row = 0; Row != C.Height; ++Row)
    memmove(C.Dst + Row * C.DstPitch, C.Src + Row * C.SrcPitch, C.Width);
}

static size_t extent(size_t Width, size_t Height, size_t Pitch) {
  return Height == 1 ? Width : (Height - 1) * Pitch + Width;
}

/// The kind of memory at \p P; false if [P, P + Bytes) leaves its range.
static bool classify(const char *P, size_t Bytes, MemKind &Kind) {
  Allocation A = findAllocation(P);
  Kind = A.Kind;
  return Kind == MemKind::Pageable || Bytes <= size_t(A.Base + A.Bytes - P);
}

/// May the device be given memory of this kind?
static bool deviceReaches(MemKind K) {
  return K != MemKind::Pageable || attribute(Attr::PageableMemoryAccess);
}

static cudaMemcpyKind inferKind(MemKind Dst, MemKind Src) {
  auto onDevice = [](MemKind K) {
    return isDeviceOnly(K) || K == MemKind::Managed;
  };
  if (onDevice(Dst))
    return onDevice(Src) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return onDevice(Src) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

static bool directionFits(cudaMemcpyKind Kind, MemKind Dst, MemKind Src) {
  bool ToDevice =
      Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
  bool FromDevice =
      Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  return (ToDevice ? deviceReaches(Dst) : !isDeviceOnly(Dst)) &&
         (FromDevice ? deviceReaches(Src) : !isDeviceOnly(Src));
}

/// Copies on the calling thread when the copy's turn in the stream has come: in
/// a blocking stream that is behind the legacy stream's work too.
static cudaError_t copyAfterWait(const CopyShape &C, Stream &S) {
  if (OpRef Turn = markStream(S, false))
    Scheduler::get().wait(Turn.get());
  waitStream(S);
  if (cudaError_t Error = enter(); Error != cudaSuccess)
    return Error;
  ManagedAccess Open;
  copyRows(C);
  return cudaSuccess;
}

static cudaError_t queueCopy(const CopyShape &C, Stream &S, bool Managed) {
  Op *O = makeOp([C] {
    if (!deviceFailed())
      copyRows(C);
  });
  O->TouchesMemory = Managed;
  submit(S, O);
  return cudaSuccess;
}

/// Takes a snapshot of the source now, copies it in stream order.
static cudaError_t queueStaged(const CopyShape &C, Stream &S, bool Managed) {
  struct Free {
    void operator()(char *P) const { free(P); }
  };
  std::unique_ptr<char, Free> Stage(
      static_cast<char *>(malloc(C.Width * C.Height)));
  if (!Stage)
    return copyAfterWait(C, S);
  CopyShape In = C;
  In.Dst = Stage.get();
  In.DstPitch = C.Width;
  copyRows(In);
  CopyShape Out = C;
  Out.Src = Stage.get();
  Out.SrcPitch = C.Width;
  Op *O = makeOp([Out, Stage = std::move(Stage)] {
    if (!deviceFailed())
      copyRows(Out);
  });
  O->TouchesMemory = Managed;
  submit(S, O);
  return cudaSuccess;
}

static cudaError_t copyPageableIn(const CopyShape &C, Stream &S, bool Async,
                                  bool Managed) {
  if (C.Width * C.Height > MaxStaged)
    return copyAfterWait(C, S);
  if (!Async) {
    // The host waits for the stream, but not for the copy's arrival.
    if (config().Sched == Policy::Eager || managedIsExclusive())
      return copyAfterWait(C, S);
    waitStream(S);
    return queueStaged(C, S, Managed);
  }
  if (config().Sched == Policy::Eager && streamIdle(S) && !underTsan())
    return copyAfterWait(C, S);
  return queueStaged(C, S, Managed);
}

cudaError_t copy(CopyShape C, cudaMemcpyKind Kind, Stream *S, bool Async) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (unsigned(Kind) > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!C.Width || !C.Height)
    return cudaSuccess;
  if (!C.Dst || !C.Src)
    return cudaErrorInvalidValue;
  if (C.Height > 1 && (C.DstPitch < C.Width || C.SrcPitch < C.Width))
    return cudaErrorInvalidPitchValue;
  MemKind Dst, Src;
  if (!classify(C.Dst, extent(C.Width, C.Height, C.DstPitch), Dst) ||
      !classify(C.Src, extent(C.Width, C.Height, C.SrcPitch), Src))
    return cudaErrorInvalidValue;
  if (Kind == cudaMemcpyDefault)
    Kind = inferKind(Dst, Src);
  if (!directionFits(Kind, Dst, Src))
    return cudaErrorInvalidValue;
  bool Managed = Dst == MemKind::Managed || Src == MemKind::Managed;
  switch (Kind) {
  case cudaMemcpyDeviceToDevice:
    return queueCopy(C, *S, Managed);
  case cudaMemcpyHostToDevice:
    if (Src == MemKind::Pageable)
      return copyPageableIn(C, *S, Async, Managed);
    break;
  case cudaMemcpyDeviceToHost:
    if (Dst == MemKind::Pageable)
      return copyAfterWait(C, *S);
    break;
  default:
    return copyAfterWait(C, *S);
  }
  return Async ? queueCopy(C, *S, Managed) : copyAfterWait(C, *S);
}

static void setRows(const SetShape &C) {
  for (size_t Row = 0; Row != C.Height; ++Row)
    memset(C.Dst + Row * C.Pitch, C.Value, C.Width);
}

cudaError_t set(SetShape C, Stream *S, bool Async) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!C.Width || !C.Height)
    return cudaSuccess;
  if (!C.Dst || (C.Height > 1 && C.Pitch < C.Width))
    return cudaErrorInvalidValue;
  MemKind Kind;
  if (!classify(C.Dst, extent(C.Width, C.Height, C.Pitch), Kind) ||
      !deviceReaches(Kind))
    return cudaErrorInvalidValue;
  Op *O = makeOp([C] {
    if (!deviceFailed())
      setRows(C);
  });
  O->TouchesMemory = Kind == MemKind::Managed;
  submit(*S, O);
  if (!Async && isPinned(Kind)) {
    waitStream(*S);
    return enter();
  }
  return cudaSuccess;
}

} // namespace echo::cpu
