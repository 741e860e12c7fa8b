//===- CudaApi.h - The CUDA runtime table, for the compiler -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the rows of runtime/abi/CudaApi.def as data: what a CUDA runtime
// function does and what each parameter is. A function that is not here is
// unknown to Echo.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_CUDAAPI_H
#define ECHO_ANALYSIS_API_CUDAAPI_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

/// What a CUDA runtime function does; see CudaApi.def.
enum class ApiKind {
  AllocDevice,
  AllocHost,
  AllocManaged,
  FreeDevice,
  FreeHost,
  Copy,
  Copy2D,
  CopySymbol,
  Set,
  Set2D,
  Register,
  Launch,
  PushConfig,
  PopConfig,
  HostFunc,
  SyncDevice,
  SyncStream,
  SyncEvent,
  QueryStream,
  QueryEvent,
  StreamCreate,
  StreamDestroy,
  StreamWaitEvent,
  EventCreate,
  EventDestroy,
  EventRecord,
  Neutral,
  Inspect,
  Capture,
  Reset,
  Prefetch,
  CopyArray,
  Array,
  Opaque,
};

/// The role of one parameter; see CudaApi.def.
enum class ApiRole {
  OutDev,
  OutHost,
  OutManaged,
  OutStream,
  OutEvent,
  Out,
  In,
  Kept, ///< read like In; the device may read by the pointers there later
  Dst,
  Src,
  Dev,
  Host,
  Ptr,
  Bytes,
  Width,
  Height,
  Pitch,
  CopyKind,
  Stream,
  Event,
  Func,
  Args,
  Symbol,
  Callback,
  UserData,
  Flags,
  Value,
  Dim3, ///< in rows; in what cudaApiOf() gives, one or two of Value
};

struct ApiInfo {
  llvm::StringRef Name; ///< without per-thread suffix
  ApiKind Kind;
  llvm::SmallVector<ApiRole, 8> Roles;
  bool PerThread = false; ///< the _ptds or _ptsz variant was asked for

  /// Number of the first parameter with role \p R, or nothing.
  std::optional<unsigned> find(ApiRole R) const;
  /// True for calls whose name ends in Async: they do not wait for the copy.
  bool isAsync() const { return Name.ends_with("Async"); }
};

/// The row of function \p Symbol (with or without per-thread suffix), or
/// nothing: Echo does not know it. A dim3 counts as one parameter here.
std::optional<ApiInfo> lookupCudaApi(llvm::StringRef Symbol);

/// The row of the function that \p Call calls by name, with a role for each
/// argument of the compiled call: a dim3 is two on x86-64 and one on aarch64.
/// Nothing: it is none of CUDA's, the program has a function of its own with
/// that name, or its dim3s are passed in another way.
std::optional<ApiInfo> cudaApiOf(const llvm::CallBase &Call);

/// True if \p Symbol looks like a CUDA runtime or driver function, known or
/// not.
bool looksLikeCuda(llvm::StringRef Symbol);

} // namespace echo

#endif
