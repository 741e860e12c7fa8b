//===- Pairs.h - Candidate pairs and their buffers ------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows the pairs that the static reports list, the buffers that their
// allocation sites made, and which of those share a block. A buffer belongs to
// a pair by the place of its allocation, two buffers to one block because they
// are there at the same time and a copy links them. Until a copy does, every
// buffer of the one site may become the partner of every one of the other.
//
// Guarded by the library's lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CHECK_PAIRS_H
#define ECHO_RUNTIME_CHECK_PAIRS_H

#include "runtime/check/Block.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace echo::check {

/// An allocation site of some pair, on one side: a macro makes host and device
/// buffers at one place.
struct Site {
  std::string File;
  uint32_t Line = 0, Column = 0;
  bool OnePath = true; ///< one path of calls leads here
  std::vector<Pair *> Pairs;
  std::vector<Buffer *> Alive;
};

/// A buffer that a site made.
struct Buffer {
  uintptr_t Base = 0;
  size_t Size = 0;
  Site *Origin = nullptr;
  Slot Side = HostSlot;
  bool Pinned = false;
  std::vector<Block *> Blocks;
};

/// A candidate pair, and what was seen of it.
struct Pair {
  const EchoCheckPair *Static = nullptr;
  Site *Sites[2] = {nullptr, nullptr};
  std::vector<Block *> Blocks; ///< that live
  uint64_t NumBlocks = 0;      ///< linked ones
  Counts Total;
  std::optional<Finding> Found;
  std::vector<Act> NotFollowed; ///< why nothing can be said of it

  const char *name(Slot S) const;
  /// "kernel 'k' writes d".
  std::string sentence(const Place *Who, Slot S, bool Write) const;
};

/// All pairs, in the order of the reports.
const std::vector<std::unique_ptr<Pair>> &pairs();
void addUnit(const EchoCheckUnit &Unit);

/// Changes whenever buffers or blocks come or go.
extern std::atomic<uint64_t> Generation;
/// Adds what \p R has counted to its blocks.
void addUp(Agent::Recent &R);

/// The buffer that \p Address is in, or null.
Buffer *findBuffer(uintptr_t Address);
inline uintptr_t number(const void *P) {
  return reinterpret_cast<uintptr_t>(P);
}
/// False: \p Address is in no buffer of a pair. Asked before every access.
/// For each page of the address space how many buffers have bytes in it; null
/// before the program is set up. The table costs what is used of it.
extern uint8_t *Watched;
inline constexpr unsigned AddressBits = 47, PageBits = 12;
inline bool mayBeWatched(uintptr_t Address) {
  return Watched && !(Address >> AddressBits) && Watched[Address >> PageBits];
}

/// Memory was allocated at \p Where.
void addBuffer(uintptr_t Base, size_t Size, bool OnDevice, bool Pinned,
               const Place *Where);
/// The memory at \p Base is given back.
void dropBuffer(uintptr_t Base);
/// The device loses all that it has.
void resetDevice();
/// The blocks of \p B, before it is moved to another place.
void moveBuffer(uintptr_t From, uintptr_t To, size_t Size, const Place *Where);

void accessMemory(uintptr_t Address, size_t Bytes, bool Write, const Place *At);
/// A row of a copy, or of its \p Parts (EchoCheck.h).
void copyMemory(uintptr_t Dst, uintptr_t Src, size_t Bytes, int Parts,
                const Place *At);

/// Adds to every pair what its blocks have seen, once, at the end.
void finish();

} // namespace echo::check

#endif
