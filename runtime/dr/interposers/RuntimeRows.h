//===- RuntimeRows.h - What the runtime interposer makes of a call ----*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the row of a function in runtime/abi/CudaApi.def, at compile time: which
// event a call is (by its kind: CudaApiWords.def), and at which place each role
// stands among its parameters. A row that makes no event is not exported; the
// driver interposer sees what such a function does.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_RUNTIMEROWS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_RUNTIMEROWS_H

#include "runtime/abi/CudaApi.h"
#include "runtime/dr/Core.h"

#include <string_view>

namespace echo::dr {

/// How a call becomes an event.
enum class Shape : uint8_t {
  None,
  AllocDevice,
  AllocHost,
  FreeDevice,
  FreeHost,
  Copy,
  CopyRows,
  CopySymbol,
  Set,
  SetRows,
  Launch,
  LaunchConfig, ///< the stream is in a structure
  HostFunc,
  SyncDevice,
  SyncStream,
  SyncEvent,
  QueryStream,
  QueryEvent,
  Elapsed, ///< of two events, a query of both
  StreamCreate,
  StreamDestroy,
  StreamWait,
  EventRecord,
  EventDestroy,
  CaptureBegin,
  CaptureEnd,
  Reset,
  DropOut,   ///< no event: the buffer drops out
  GraphNode, ///< likewise those that a node of a graph names
  Beside, ///< likewise those of a copy; the driver's own call is seen as well
};

struct RuntimeRow {
  const char *Name;   ///< as the table has it
  const char *Export; ///< with the suffix of the per-thread variant
  bool PerThread;
  std::string_view Kind, Roles;

  /// The place of a role among the parameters, or -1.
  constexpr int place(std::string_view Role, int Nth = 0) const {
    int At = 0;
    std::string_view Left = Roles;
    while (!Left.empty()) {
      size_t End = Left.find(' ');
      if (Left.substr(0, End) == Role && Nth-- == 0)
        return At;
      if (End == std::string_view::npos)
        break;
      Left.remove_prefix(End + 1);
      ++At;
    }
    return -1;
  }

  /// How many roles there are.
  constexpr int places() const {
    int Count = Roles.empty() ? 0 : 1;
    for (char C : Roles)
      Count += C == ' ';
    return Count;
  }

  constexpr bool is(std::string_view Other) const { return Other == Name; }

  constexpr Shape shape() const {
    struct Pair {
      std::string_view Word;
      Shape S;
    };
    // Irregular ones, by name.
    constexpr Pair Names[] = {
        {"cudaMallocPitch", Shape::AllocDevice},
        {"cudaMallocFromPoolAsync", Shape::AllocDevice},
        {"cudaMemcpyPeer", Shape::Copy},
        {"cudaMemcpyPeerAsync", Shape::Copy},
        {"cudaLaunchKernelExC", Shape::LaunchConfig},
        {"cudaStreamBeginCapture", Shape::CaptureBegin},
        {"cudaStreamBeginCaptureToGraph", Shape::CaptureBegin},
        {"cudaStreamEndCapture", Shape::CaptureEnd},
        {"cudaGraphLaunch", Shape::Launch},
        {"cudaIpcGetMemHandle", Shape::DropOut},
        {"cudaEventElapsedTime", Shape::Elapsed},
        {"cudaEventElapsedTime_v2", Shape::Elapsed},
        {"cudaMemcpy3D", Shape::Beside},
        {"cudaMemcpy3DAsync", Shape::Beside}};
    for (const Pair &P : Names)
      if (P.Word == Name)
        return P.S;
#define CUDA_API_KIND(Of, Makes, Text)                                         \
  if (Kind == #Of)                                                             \
    return Shape::Makes;
#include "runtime/abi/CudaApiWords.def"
    return Shape::None;
  }

  /// Why the buffer that a DropOut row names drops out.
  constexpr Reason reason() const {
    if (Kind == "Register")
      return Reason::PinnedByProgram;
    if (Kind == "Inspect")
      return Reason::Inspected;
    if (Kind == "Prefetch")
      return Reason::Prefetched;
    return Reason::Ipc;
  }

  constexpr bool isAsync() const { return isAsyncName(Name); }

  constexpr How how() const {
    if (Kind == "AllocManaged")
      return How::Managed;
    if (Kind == "AllocHost")
      return How::Pinned;
    if (is("cudaMallocPitch"))
      return How::Pitched;
    if (is("cudaMallocFromPoolAsync"))
      return How::DevicePool;
    return isAsync() ? How::DeviceAsync : How::Device;
  }
};

} // namespace echo::dr

#endif
