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
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/graphs/Capture.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace echo::cpu {

/// Larger pageable sources are not staged: the call waits instead.
static constexpr size_t MaxStaged = 64 << 20;

static void copyRows(const CopyShape &C) {
  if (C.Depth != 1) {
    for (size_t I = 0; I != C.Depth; ++I)
      copyRows(C.slice(I));
    return;
  }
  if (C.Height == 1 || (C.DstPitch == C.Width && C.SrcPitch == C.Width)) {
    memmove(C.Dst, C.Src, C.Width * C.Height);
    return;
  }
  for (size_t Row = 0; Row != C.Height; ++Row)
    memmove(C.Dst + Row * C.DstPitch, C.Src + Row * C.SrcPitch, C.Width);
}

/// From the first byte to the last, with what lies between.
static size_t extent(size_t Width, size_t Height, size_t Pitch,
                     size_t Depth = 1, size_t Slice = 0) {
  return (Depth - 1) * Slice + (Height - 1) * Pitch + Width;
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
  auto onDevice = [](MemKind K) { return isDeviceOnly(K) || isManaged(K); };
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

/// How the host goes on after a copy that has been made.
enum class Behind {
  Ordered, ///< CUDA promises it
  May,     ///< CUDA says that it might be
};

/// The library of --check sees \p Parts of \p C (EchoCheck.h).
static void seeCopy(const CopyShape &C, int Parts) {
  if (!underCheck() || !Parts)
    return;
  for (size_t I = 0; I != C.Depth; ++I) {
    const CopyShape S = C.slice(I);
    echo_check_copy(S.Dst, S.DstPitch, S.Src, S.SrcPitch, S.Width, S.Height,
                    Parts);
  }
}

static Op *makeCopyOp(const CopyShape &C,
                      int Parts = ECHO_CHECK_FROM | ECHO_CHECK_TO) {
  return makeOp([C, Parts] {
    if (deviceFailed())
      return spoilDownload(C, cudaMemcpyDefault);
    seeCopy(C, Parts);
    copyRows(C);
  });
}

Op *makeCopyOp(const CopyShape &C, bool Managed) {
  Op *O = makeCopyOp(C);
  O->TouchesMemory = Managed;
  return O;
}

/// Copies when the copy's turn in the stream has come, and returns then. In a
/// blocking stream the turn is after the legacy stream's work too. That the
/// caller waited is no fact that the program may take from it.
static cudaError_t copyInTurn(const CopyShape &C, Stream &S, Behind How,
                              int Parts = ECHO_CHECK_FROM | ECHO_CHECK_TO) {
  if (underTsan()) {
    Op *O = makeCopyOp(C, Parts);
    OpRef Made = OpRef::share(O);
    submit(S, O);
    Scheduler::get().wait(O);
    if (How == Behind::Ordered || config().Lenient)
      orderWaitedFor(*O);
    return enter();
  }
  if (OpRef Turn = markStream(S, false))
    Scheduler::get().wait(Turn.get());
  if (cudaError_t Error = enter(); Error != cudaSuccess)
    return Error;
  ManagedAccess Open;
  copyRows(C);
  return cudaSuccess;
}

/// The same for copies that wait under every schedule: the kernels before them
/// are seen done.
static cudaError_t copyAndWait(const CopyShape &C, Stream &S, Behind How,
                               int Parts = ECHO_CHECK_FROM | ECHO_CHECK_TO) {
  cudaError_t Error = copyInTurn(C, S, How, Parts);
  kernelsSeenDone();
  if (How == Behind::Ordered)
    kernelsWentWell();
  return Error;
}

static cudaError_t queueCopy(const CopyShape &C, Stream &S, bool Managed) {
  submit(S, makeCopyOp(C, Managed));
  return cudaSuccess;
}

namespace {
struct FreeStage {
  void operator()(char *P) const {
    HideSync Hide;
    free(P);
  }
};
} // namespace

/// ThreadSanitizer sees the caller read the source of \p C.
static void seeRead(const CopyShape &C) {
  for (size_t I = 0; I != C.Depth; ++I)
    for (size_t Row = 0; Row != C.Height; ++Row)
      __tsan_read_range(const_cast<char *>(C.slice(I).Src) + Row * C.SrcPitch,
                        C.Width);
}

/// Takes a snapshot of the source now, copies it in stream order. Where the
/// host May be ordered after it, the stream is who reads the source, as far as
/// CUDA promises.
static cudaError_t queueStaged(const CopyShape &C, Stream &S, bool Managed,
                               Behind How) {
  CopyShape In = C, Out = C;
  std::unique_ptr<char, FreeStage> Stage;
  {
    HideSync Hide;
    Stage.reset(static_cast<char *>(malloc(C.bytes())));
    if (!Stage)
      return copyInTurn(C, S, How);
    In.Dst = Stage.get();
    In.DstPitch = C.Width;
    In.DstSlice = C.Width * C.Height;
    copyRows(In);
  }
  Out.Src = Stage.get();
  Out.SrcPitch = C.Width;
  Out.SrcSlice = C.Width * C.Height;
  const bool StreamReads = How == Behind::May && !config().Lenient;
  if (underTsan() && !StreamReads)
    seeRead(C);
  Op *O = makeOp([=, Stage = std::move(Stage)] {
    if (underTsan() && StreamReads)
      seeRead(C);
    if (!deviceFailed())
      copyRows(Out);
  });
  O->TouchesMemory = Managed;
  submit(S, O);
  return cudaSuccess;
}

/// Under --check nothing is staged: that would be no copy between the two
/// buffers. What is ordered is the same: of a synchronous copy the host reads
/// the source, and the stream writes the destination at any time after that.
static cudaError_t copyChecked(const CopyShape &C, Stream &S, bool Async) {
  int Parts = ECHO_CHECK_FROM | ECHO_CHECK_TO;
  if (!Async) {
    waitStream(S);
    seeCopy(C, ECHO_CHECK_FROM);
    Parts = ECHO_CHECK_TO;
  }
  return copyInTurn(C, S, Behind::May, Parts);
}

static cudaError_t copyPageableIn(const CopyShape &C, Stream &S, bool Async,
                                  bool Managed) {
  const bool Large = C.bytes() > MaxStaged;
  const bool Early = config().Sched == Policy::Eager && !underTsan();
  if (Async) {
    if (Large)
      return copyAndWait(C, S, Behind::May);
    if (underCheck())
      return copyChecked(C, S, Async);
    return Early && runsAtOnce(S) ? copyInTurn(C, S, Behind::May)
                                  : queueStaged(C, S, Managed, Behind::May);
  }
  if (underCheck())
    return copyChecked(C, S, Async);
  // The host waits for the stream, but not for the copy's arrival.
  waitStream(S);
  if (Early || managedIsExclusive() || (Large && !underTsan()))
    return copyInTurn(C, S, Behind::Ordered);
  return queueStaged(C, S, Managed, Behind::Ordered);
}

/// Not what fresh device memory holds.
static constexpr int SpoiledByte = 0x5a;

void spoilDownload(const CopyShape &C, cudaMemcpyKind Kind) {
  if (!deviceFailed() || !config().PoisonDownloads || !C.Dst || !C.Src)
    return;
  const MemKind Dst = findAllocation(C.Dst).Kind;
  if (Kind == cudaMemcpyDefault)
    Kind = inferKind(Dst, findAllocation(C.Src).Kind);
  if (Kind != cudaMemcpyDeviceToHost || isDeviceOnly(Dst))
    return;
  for (size_t I = 0; I != C.Depth; ++I)
    for (size_t Row = 0; Row != C.Height; ++Row)
      memset(C.slice(I).Dst + Row * C.DstPitch, SpoiledByte, C.Width);
}

cudaError_t checkCopy(const CopyShape &C, cudaMemcpyKind Kind, CopySides &Out) {
  if (unsigned(Kind) > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  Out = {Kind, MemKind::Pageable, MemKind::Pageable,
         !C.Width || !C.Height || !C.Depth};
  if (Out.Empty)
    return cudaSuccess;
  if (!C.Dst || !C.Src)
    return cudaErrorInvalidValue;
  if (C.Height > 1 && (C.DstPitch < C.Width || C.SrcPitch < C.Width))
    return cudaErrorInvalidPitchValue;
  if (!classify(C.Dst,
                extent(C.Width, C.Height, C.DstPitch, C.Depth, C.DstSlice),
                Out.Dst) ||
      !classify(C.Src,
                extent(C.Width, C.Height, C.SrcPitch, C.Depth, C.SrcSlice),
                Out.Src))
    return cudaErrorInvalidValue;
  if (Kind == cudaMemcpyDefault)
    Out.Kind = inferKind(Out.Dst, Out.Src);
  return directionFits(Out.Kind, Out.Dst, Out.Src) ? cudaSuccess
                                                   : cudaErrorInvalidValue;
}

cudaError_t copy(CopyShape C, cudaMemcpyKind Kind, Stream *S, bool Async) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (fails(Fails::Copy))
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Async ? Use::Queue : Use::Other))
    return Error;
  CopySides Sides;
  if (cudaError_t Error = checkCopy(C, Kind, Sides))
    return Error;
  if (Sides.Empty)
    return cudaSuccess;
  const MemKind Dst = Sides.Dst, Src = Sides.Src;
  const bool Managed = Sides.managed();
  Kind = Sides.Kind;
  if (isCapturing(*S))
    return captureCopy(C, Sides, *S);
  // Memory of the process is the host's to a copy, whatever it is said to be:
  // an H200 reads the source of an asynchronous copy to the device at once.
  if (Async && Src == MemKind::Pageable && Dst != MemKind::Pageable &&
      (Kind == cudaMemcpyDeviceToDevice || Kind == cudaMemcpyDeviceToHost))
    return copyPageableIn(C, *S, Async, Managed);
  switch (Kind) {
  case cudaMemcpyDeviceToDevice:
    return queueCopy(C, *S, Managed);
  case cudaMemcpyHostToDevice:
    if (Src == MemKind::Pageable)
      return copyPageableIn(C, *S, Async, Managed);
    break;
  case cudaMemcpyDeviceToHost:
    if (Dst == MemKind::Pageable)
      return copyAndWait(C, *S, Async ? Behind::May : Behind::Ordered);
    break;
  default:
    // The host waits for the copy; that the stream does CUDA does not say.
    if (underCheck()) {
      seeCopy(C, ECHO_CHECK_FROM | ECHO_CHECK_TO);
      return copyAndWait(C, *S, Behind::May, /*Parts=*/0);
    }
    return copyAndWait(C, *S, Behind::Ordered);
  }
  return Async ? queueCopy(C, *S, Managed)
               : copyAndWait(C, *S, Behind::Ordered);
}

static void setRows(const SetShape &C) {
  if (underCheck())
    echo_check_set(C.Dst, C.Pitch, C.Width, C.Height);
  for (size_t Row = 0; Row != C.Height; ++Row) {
    char *const To = C.Dst + Row * C.Pitch;
    if (C.Element == 1)
      memset(To, C.Value, C.Width);
    else // of little-endian numbers the first bytes
      for (size_t At = 0; At != C.Width; At += C.Element)
        memcpy(To + At, &C.Value, C.Element);
  }
}

cudaError_t checkSet(const SetShape &C, MemKind &Kind) {
  if (!C.Dst || (C.Height > 1 && C.Pitch < C.Width))
    return cudaErrorInvalidValue;
  return classify(C.Dst, extent(C.Width, C.Height, C.Pitch), Kind) &&
                 deviceReaches(Kind)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

Op *makeSetOp(const SetShape &C, bool Managed) {
  Op *O = makeOp([C] {
    if (!deviceFailed())
      setRows(C);
  });
  O->TouchesMemory = Managed;
  return O;
}

static cudaError_t queueSet(SetShape C, Stream &S, bool Async) {
  if (!C.Width || !C.Height)
    return cudaSuccess;
  MemKind Kind;
  if (cudaError_t Error = checkSet(C, Kind))
    return Error;
  if (isCapturing(S))
    return captureSet(C, Kind == MemKind::Managed, S);
  submit(S, makeSetOp(C, Kind == MemKind::Managed));
  if (!Async && isPinned(Kind)) {
    waitStream(S);
    return enter();
  }
  return cudaSuccess;
}

cudaError_t set(SetShape C, Stream *S, bool Async) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Async ? Use::Queue : Use::Other))
    return Error;
  if (!fails(Fails::Set))
    return queueSet(C, *S, Async);
  C.Value = SpoiledByte; // with right arguments it would not fail
  if (config().PoisonDownloads)
    queueSet(C, *S, /*Async=*/true);
  return cudaErrorInvalidValue;
}

} // namespace echo::cpu
