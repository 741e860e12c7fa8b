//===- Warp.h - Warp operations ------------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets the lanes that a mask names meet, and computes what each gets. Lanes may
// come from different places of the code: only mask and operation must agree.
// Lanes that have ended or never were are not waited for.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_WARP_H
#define ECHO_RUNTIME_CPU_WARP_H

#include "runtime/abi/CpuModule.h"

#include <cstdint>
#include <vector>

namespace echo::cpu {

inline constexpr unsigned WarpLanes = 32;

/// Families of operations; `Mode` is the contract's enumerator within one.
enum class WarpFamily : uint16_t {
  Sync,
  Shuffle,
  Vote,
  MatchAny,
  MatchAll,
  Redux
};
struct WarpOp {
  WarpFamily Family;
  uint16_t Mode;
  bool operator==(const WarpOp &O) const {
    return Family == O.Family && Mode == O.Mode;
  }
};

struct LaneInput {
  uint64_t Value = 0;
  uint32_t B = 0, C = 0; ///< shuffles: PTX's operands
};
struct LaneResult {
  uint32_t Value = 0;
  int32_t Flag = 0;
};

/// Lanes that meet.
struct WarpGroup {
  uint32_t Mask;
  WarpOp Operation;
  uint32_t Arrived;
  LaneInput Inputs[WarpLanes];
};

/// The result of \p Lane once all lanes of the group have arrived.
LaneResult laneResult(const WarpGroup &G, unsigned Lane);

struct Warp {
  uint32_t Live = 0; ///< lanes that exist and have not ended
  std::vector<WarpGroup> Groups;
  unsigned NumGroups = 0;

  /// The open group for this mask and operation, made where there is none.
  WarpGroup &group(uint32_t Mask, WarpOp Operation);
  bool complete(const WarpGroup &G) const {
    return (G.Mask & Live & ~G.Arrived) == 0;
  }
  void close(WarpGroup &G) { G = Groups[--NumGroups]; }
};

} // namespace echo::cpu

#endif
