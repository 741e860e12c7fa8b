//===- Block.h - Merged blocks, their registry and their pool ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is one piece of memory that serves as host buffer, device buffer or
// both. The registry knows every block in use by its exact address; the pool
// keeps a few blocks that are not. Neither ever calls CUDA under a lock, and
// neither touches a block's memory while the GPU may use it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_BLOCK_H
#define ECHO_RUNTIME_RT_BLOCK_H

#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Support.h"

namespace echo::rt {

/// Whether CUDA was asked to pin the memory of a PinnedSplit block.
namespace PinState {
enum Value : uint8_t { No, Busy, Pinned, Never };
}

struct Block {
  Block *Next = nullptr;  ///< in a registry bucket or in the pool
  char *Base = nullptr;   ///< what the program gets
  char *Memory = nullptr; ///< where its memory starts, at or before Base
  size_t Capacity = 0;    ///< what the program asked for first
  size_t DeviceBytes = 0; ///< what the device role asked for, while held
  size_t Reserved = 0;    ///< what was allocated, the pool's key
  const EchoGroup *Group = nullptr;
  int Device = 0;    ///< current when the block was made
  uint32_t Life = 0; ///< of the device (Life.h), for CUDA's memory
  uint32_t Era = 0;
  Backing Kind = Backing::Split;
  uint8_t Roles = 0;       ///< bit 1 << EchoRole for each role held
  bool Rested = false;     ///< the device was waited for since it last used it
  bool SecondHost = false; ///< the host role is held twice
  bool Dirty = false;      ///< memory may hold something other than zero
  PinState::Value Pin = PinState::No; ///< of PinnedSplit; atomic
  bool Doomed = false; ///< free, and given back when nothing has to wait for it
  uint64_t LastUpload = 0; ///< number of its last one; atomic
  uint64_t Copied = 0;     ///< bytes of its copies so far; atomic
  uint64_t PinAt = 0;      ///< how many of them have it pinned
};

// Registry.

/// Makes \p B known. Its roles must be set.
void registerBlock(Block *B);

/// What forgetIfReset found.
struct Forgotten {
  bool Any = false;    ///< a block was there, and is forgotten
  bool Pinned = false; ///< the program frees its host side with cudaFreeHost
};

/// Forgets the block that starts at \p Base if a reset of its device took its
/// memory away: what lies there now is not echort's.
Forgotten forgetIfReset(const void *Base);

/// A reset has ended the lives of \p Device before \p Life: forgets the blocks
/// of CUDA's memory, in use and free.
void forgetBlocksBefore(int Device, uint32_t Life);

struct Joined {
  void *Base = nullptr; ///< null: not joined
  Backing Kind = Backing::Split;
  int Device = 0; ///< the block's
};

/// True if a block is in use.
bool anyBlocks();

/// False if surely no block starts at \p P. Costs no lock and no call.
bool mayBeBlock(const void *P);

/// Gives \p Role of the block at \p Partner to the caller. Refuses if no block
/// starts there, it belongs to another group or to a parent process, the role
/// is held (the host's, if two may share the block: twice), or it is smaller
/// than \p Bytes (where \p Group asks for equal sizes, of another size). \p
/// Device is the current device, or negative where it does not matter.
Joined joinBlock(const EchoGroup *Group, uint32_t Role, size_t Bytes,
                 void *Partner, int Device);

/// Notes that the device was waited for after it lost its role of the block at
/// \p Base, if there still is one.
void noteRest(const void *Base);

/// What the device role of the block at \p Base asked for; 0 if no block starts
/// there or the role is not held.
size_t deviceBytesAt(const void *Base);

/// How many bytes the block at \p Base has; 0 if no block starts there or the
/// host role is not held.
size_t hostCapacityAt(const void *Base);

/// The PinnedSplit block that starts at \p Base, if it is of this process and
/// its host role is held; else null. The caller keeps the role held while it
/// uses the answer.
Block *pinnedSplitAt(const void *Base);

struct Holding {
  bool Held = false;   ///< the pointer is a block that holds the role
  bool Twice = false;  ///< a block that does not, and that CUDA must not free
  bool Pinned = false; ///< the role is the host's, freed with cudaFreeHost
  int Device = 0;      ///< the block's
  uint32_t Era = 0;    ///< the block's
};

/// Who holds \p Role of the block at \p Pointer. Very cheap for other pointers.
Holding holdingAt(uint32_t Role, const void *Pointer);

struct Released {
  bool Held = false;      ///< the pointer was a block that held the role
  Block *Last = nullptr;  ///< set if no role is left: the caller owns it now
  int Device = 0;         ///< the block's
  size_t DeviceBytes = 0; ///< what the device role held
};

/// Takes \p Role from the block at \p Pointer. Very cheap for other pointers.
Released releaseRole(uint32_t Role, void *Pointer);

// Memory.

/// A new block of at least \p Bytes in memory of \p Kind on the current
/// device, from the pool or fresh; all zero if \p Zeroed, and aligned to
/// \p Alignment if a page is. Null if that fails; then no CUDA error of its own
/// is left behind.
Block *makeBlock(Backing Kind, size_t Bytes, int Device, bool Zeroed,
                 size_t Alignment);

/// What the pool keeps at most, in bytes: a small part of the machine's memory.
size_t poolBound();

/// Gives back what the pool keeps; what CUDA's frees wait for may wait for the
/// host, so theirs only if nothing is in flight. \p Patient: waits a while for
/// that. False if that was nothing.
bool emptyPool(bool Patient = true);

/// Gives back the system memory among it, without a call into CUDA.
void emptyPoolOfSystemMemory();

/// True if deviceRested would give memory back.
bool hasDoomed();

/// The program's own call just waited for all work of \p Device, or is about
/// to: free blocks may be used again, and memory may be given back.
void deviceRested(int Device);

/// The program itself is about to allocate \p Bytes, as written, on the current
/// device or, if not \p OnDevice, of the host. Empties the pool if that is in
/// the way, so that this succeeds where it would have without echort.
void makeRoom(size_t Bytes, bool OnDevice);

/// The part of forgetBlocksBefore that sees to free blocks.
void forgetPooledBefore(int Device, uint32_t Life);

/// True if CUDA's memory at \p Pointer waits in the pool.
bool isPooled(const void *Pointer);

/// Gives the memory of \p B back, to the pool or to the system, and waits for
/// nothing. \p Idle: the device was waited for after the last use of the block.
void dropBlock(Block *B, bool Idle);

/// Gives the memory of \p B back to the system; CUDA's calls may wait for the
/// device.
void destroyBlock(Block *B);

} // namespace echo::rt

#endif
