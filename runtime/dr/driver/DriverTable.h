//===- DriverTable.h - The driver's entry points as a table -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DriverApi.def as data: what each entry point is called, which signature a
// look-up by (name, version, flags) means, and what its parameters are. It is
// constant; it must never guess: a look-up that no row answers has no entry.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DRIVER_DRIVERTABLE_H
#define ECHO_RUNTIME_DR_DRIVER_DRIVERTABLE_H

#include "runtime/abi/DrTrace.h"

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

enum class DriverKind : uint8_t {
  AllocDevice,
  AllocPool,
  AllocManaged,
  AllocPitch,
  AllocHost,
  FreeDevice,
  FreeHost,
  Register,
  Unregister,
  Copy,
  CopyAsync,
  CopyShape,
  CopyShapeAsync,
  Set,
  SetAsync,
  Launch,
  LaunchConfig,
  HostFunc,
  SyncContext,
  SyncStream,
  SyncEvent,
  QueryStream,
  QueryEvent,
  Elapsed,
  EventRecord,
  StreamWait,
  StreamCreate,
  StreamDestroy,
  EventDestroy,
  EventForget,
  CaptureBegin,
  CaptureEnd,
  Inspect,
  Mark,
  MarkAll,
  Born,
  Reset,
};

/// What a parameter is. The order is that of the words in RoleNames.
enum class Role : uint8_t {
  None,
  OutDev,
  OutHost,
  OutStream,
  Out,
  In,
  Dev,
  Host,
  Dst,
  Src,
  DstHost,
  SrcHost,
  Bytes,
  Shape2D,
  Shape3D,
  ShapePeer,
  Node,
  AllocNode,
  OutSize,
  Region,
  Frame,
  Ipc,
  Attribute,
  Resource,
  Addresses,
  Stream,
  Event,
  Handle,
  Size,
  Count,
  Value,
  Wide,
  Place,
};
inline constexpr const char *RoleNames[] = {
    "",          "out-dev", "out-host", "out-stream", "out",       "in",
    "dev",       "host",    "dst",      "src",        "dst-host",  "src-host",
    "bytes",     "shape2d", "shape3d",  "shapePeer",  "node",      "alloc-node",
    "out-size",  "region",  "frame",    "ipc",        "attribute", "resource",
    "addresses", "stream",  "event",    "handle",     "size",      "count",
    "value",     "wide",    "place"};

enum class Variant : uint8_t { none, ptds, ptsz };

inline constexpr unsigned MaxDriverArgs = 16;
inline constexpr unsigned NumRoles = sizeof RoleNames / sizeof *RoleNames;

struct DriverRow {
  const char *Symbol;
  const char *Base;
  int Version;
  Variant Suffix;
  int PerThreadVersion;
  DriverKind Kind;
  Reason Why;
  unsigned NumArgs;
  Role Roles[MaxDriverArgs];
  /// By role: the position of the first parameter that is one, counted from 1;
  /// 0: none.
  uint8_t Places[NumRoles];
};

/// A row, and whether its per-thread-default-stream variant is meant.
struct DriverEntry {
  unsigned Row = ~0u;
  bool PerThread = false;
  explicit operator bool() const { return Row != ~0u; }
};

enum DriverRowIndex : unsigned {
#define DRIVER_API(symbol, base, version, suffix, perThread, kind, reason, n,  \
                   roles)                                                      \
  Driver_##symbol,
#include "runtime/dr/driver/DriverApi.def"
  NumDriverRows
};

extern const DriverRow DriverRows[NumDriverRows];

/// The entry that is exported as \p Symbol; none if the table lacks it.
DriverEntry driverEntryBySymbol(const char *Symbol);

/// The entry that cuGetProcAddress means by \p Base for programs of CUDA
/// \p Version. None if the table lacks the name, or the version is older than
/// its oldest row.
DriverEntry driverEntryByProc(const char *Base, int Version, bool PerThread);

/// The exported name of \p Entry, written into \p Buffer.
const char *driverSymbol(DriverEntry Entry, char *Buffer, size_t Bytes);

} // namespace echo::dr

#endif
