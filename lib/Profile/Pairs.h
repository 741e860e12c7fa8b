//===- Pairs.h - Pairs of buffers that copies link --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups the copies of a trace by where their buffers were allocated and how
// large they are, and says what is open to each pair. A choice is closed by
// anything that the trace shows against it, and by anything that it does not
// show: lib/Profile/Obstacles.def lists why. Whether host and GPU take turns is
// not decided here but by validation.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PAIRS_H
#define ECHO_PROFILE_PAIRS_H

#include "Profile/Buffers.h"
#include "Profile/Loop.h"
#include "Profile/Waits.h"

#include <set>

namespace echo::drtool {

using drplan::Choice;

enum class Closes : uint8_t { Merging, Both };

enum class Obstacle : uint8_t {
#define DR_OBSTACLE(Enum, id, closes, text) Enum,
#include "Profile/Obstacles.def"
};

const char *obstacleId(Obstacle O);
const char *obstacleText(Obstacle O);
const char *reasonText(dr::Reason R);
Closes whatCloses(Obstacle O);
/// What \p R closes where it is the host buffer's.
Closes whatCloses(dr::Reason R);

/// Copies of one call site between the buffers of a pair.
struct CopySite {
  uint64_t Site = 0;
  bool ToDevice = false, Async = false;
  drplan::Wait Needed = drplan::Wait::None; ///< the strongest of its copies
  uint64_t Count = 0, Steady = 0; ///< in all; in the steady part of the loop
  uint64_t Bytes = 0;             ///< of the last copy
  uint64_t Least = 0, Most = 0;   ///< bytes of a copy
  uint64_t SteadyBytes = 0;       ///< of the steady ones together
  double Ns = 0; ///< of the steady ones, without waits for work
};

struct Pair {
  uint64_t HostSite = 0;    ///< 0: the host memory is unknown
  uint64_t DeviceSite = 0;  ///< 0: unknown, or a part of a larger block
  uint64_t Bytes = 0;       ///< of the host buffer; 0: unknown
  uint64_t DeviceBytes = 0; ///< 0 where DeviceSite is
  dr::How HostKind = dr::How::Unknown, DeviceKind = dr::How::Unknown;
  uint64_t HostBuffers = 0, DeviceBuffers = 0; ///< how many there were
  bool HostMayChange = false;   ///< another host buffer in each iteration
  std::vector<CopySite> Copies; ///< by first use
  std::set<Obstacle> Obstacles;
  std::set<dr::Reason> HostReasons, DeviceReasons;

  double steadyNs() const;
  uint64_t steadyCopies() const;
  /// The choices besides leave, in the table's order.
  std::vector<Choice> open() const;
};

/// What the copies of a trace link, pairs with the largest copy time first.
/// Copies that do not recur in \p L make no pair.
std::vector<Pair> findPairs(const Trace &T, const BufferHistory &H,
                            const std::vector<CopyOrder> &Orders,
                            const Loop &L);

/// Adds what another process of the program showed of a pair.
void joinPairs(std::vector<Pair> &Into, const std::vector<Pair> &From);

/// Where merging two pairs would need one buffer twice, the smaller one's
/// merging is closed.
void settleRivals(std::vector<Pair> &Pairs);

} // namespace echo::drtool

#endif
