//===- Registry.cpp - Which addresses are merged blocks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash table from exact address to block, in shards with a lock each. It
// decides whether a pointer is ours and whether a role of it is free; from
// the table alone, never by looking at what the pointer points to. Every free
// of a rewritten program asks it, so two tests without a lock come first.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Block.h"
#include "runtime/rt/DeviceBytes.h"
#include "runtime/rt/Life.h"

#include <stdlib.h>

namespace echo::rt {

namespace {
struct alignas(64) Shard {
  Mutex Lock;
  Block *Buckets[128] = {};
};
} // namespace

static constexpr unsigned NumShards = 16;
static Shard Shards[NumShards];
/// Blocks in use. A thread that was handed a block's address sees at least
/// that block counted, since the hand-over orders the two.
static size_t NumBlocks;

static uint64_t hashAddress(const void *P) {
  return (reinterpret_cast<uintptr_t>(P) >> 8) * 0x9e3779b97f4a7c15ull;
}
static Shard &shardOf(uint64_t Hash) { return Shards[Hash >> 60]; }
static Block **bucketOf(Shard &S, uint64_t Hash) {
  return &S.Buckets[(Hash >> 53) & 127];
}

bool anyBlocks() { return __atomic_load_n(&NumBlocks, __ATOMIC_RELAXED); }

// Blocks are 256-byte aligned, what malloc returns for large sizes is not.
bool mayBeBlock(const void *P) {
  return P && !(reinterpret_cast<uintptr_t>(P) & 255) && anyBlocks();
}

void registerBlock(Block *B) {
  uint64_t Hash = hashAddress(B->Base);
  Shard &S = shardOf(Hash);
  Guard G(S.Lock);
  Block **Bucket = bucketOf(S, Hash);
  B->Next = *Bucket;
  *Bucket = B;
  __atomic_fetch_add(&NumBlocks, 1, __ATOMIC_RELAXED);
}

Joined joinBlock(const EchoGroup *Group, uint32_t Role, size_t Bytes,
                 void *Partner, int Device) {
  if (!mayBeBlock(Partner))
    return {};
  uint64_t Hash = hashAddress(Partner);
  Shard &S = shardOf(Hash);
  Guard G(S.Lock);
  for (Block *B = *bucketOf(S, Hash); B; B = B->Next) {
    if (B->Base != Partner)
      continue;
    bool SizeFits = Group->flags & ECHO_GROUP_SAME_SIZE ? B->Capacity == Bytes
                                                        : B->Capacity >= Bytes;
    bool Held = B->Roles & (1u << Role);
    bool Second = Held && Role == ECHO_HOST && !B->SecondHost &&
                  (Group->flags & ECHO_GROUP_TWO_HOSTS);
    bool Fits = B->Kind != Backing::PinnedSplit && B->Group == Group &&
                B->Era == forkEra() && (!Held || Second) && SizeFits &&
                (Device < 0 || B->Device == Device);
    if (!Fits)
      return {};
    B->SecondHost |= Second;
    B->Roles |= 1u << Role;
    if (Role == ECHO_DEVICE) {
      B->DeviceBytes = Bytes;
      B->Rested = false;
    }
    return {B->Base, B->Kind, B->Device};
  }
  return {};
}

/// What \p Use says of the block that starts at \p Base, its shard locked; \p
/// None if no block does.
template <class T, class Fn>
static T askBlockAt(const void *Base, T None, Fn Use) {
  if (!mayBeBlock(Base))
    return None;
  uint64_t Hash = hashAddress(Base);
  Shard &S = shardOf(Hash);
  Guard G(S.Lock);
  for (Block *B = *bucketOf(S, Hash); B; B = B->Next)
    if (B->Base == Base)
      return Use(*B);
  return None;
}

static bool holds(const Block &B, EchoRole Role) {
  return B.Roles & (1u << Role);
}

/// Takes *Link out of its bucket. The shard is locked.
static Block *unlink(Block **Link) {
  Block *B = *Link;
  *Link = B->Next;
  B->Next = nullptr;
  __atomic_fetch_sub(&NumBlocks, 1, __ATOMIC_RELAXED);
  return B;
}

/// Ends the record of a block whose memory is gone.
static void forget(Block *B) {
  if (holds(*B, ECHO_DEVICE))
    unreserveDevice(B->Device, B->DeviceBytes);
  free(B);
}

Forgotten forgetIfReset(const void *Base) {
  struct Seen {
    uint32_t Life;
    int Device;
  };
  Seen S = askBlockAt(Base, Seen(), [](const Block &B) {
    bool Asks = isCudas(B.Kind) && B.Era == forkEra();
    return Asks ? Seen{B.Life, B.Device} : Seen();
  });
  if (!S.Life || fateOf(S.Device, S.Life) != Fate::Gone)
    return {};
  uint64_t Hash = hashAddress(Base);
  Shard &Home = shardOf(Hash);
  Block *Dead = nullptr;
  {
    Guard G(Home.Lock);
    for (Block **Link = bucketOf(Home, Hash); *Link && !Dead;)
      if ((*Link)->Base == Base && (*Link)->Life == S.Life)
        Dead = unlink(Link);
      else
        Link = &(*Link)->Next;
  }
  if (!Dead)
    return {};
  bool Pinned = Dead->Group->flags & ECHO_GROUP_PINNED_HOST;
  forget(Dead);
  return {true, Pinned};
}

void forgetBlocksBefore(int Device, uint32_t Life) {
  forgetPooledBefore(Device, Life);
  for (Shard &S : Shards) {
    Guard G(S.Lock);
    for (Block *&Bucket : S.Buckets)
      for (Block **Link = &Bucket; *Link;) {
        Block &B = **Link;
        if (isCudas(B.Kind) && B.Device == Device && B.Life < Life &&
            B.Era == forkEra())
          forget(unlink(Link));
        else
          Link = &B.Next;
      }
  }
}

void noteRest(const void *Base) {
  askBlockAt(Base, false,
             [](Block &B) { return B.Rested |= !holds(B, ECHO_DEVICE); });
}

size_t deviceBytesAt(const void *Base) {
  return askBlockAt(Base, size_t(0), [](const Block &B) {
    return holds(B, ECHO_DEVICE) ? B.DeviceBytes : 0;
  });
}

size_t hostCapacityAt(const void *Base) {
  return askBlockAt(Base, size_t(0), [](const Block &B) {
    return holds(B, ECHO_HOST) ? B.Capacity : 0;
  });
}

Block *pinnedSplitAt(const void *Base) {
  return askBlockAt(Base, static_cast<Block *>(nullptr), [](Block &B) {
    return B.Kind == Backing::PinnedSplit && B.Era == forkEra() ? &B : nullptr;
  });
}

Holding holdingAt(uint32_t Role, const void *Pointer) {
  return askBlockAt(Pointer, Holding(), [Role](const Block &B) {
    bool Held = B.Roles & (1u << Role);
    bool Pinned = Role == ECHO_HOST && B.Group->flags & ECHO_GROUP_PINNED_HOST;
    return Holding{Held, !Held && (Role == ECHO_DEVICE || Pinned), Pinned,
                   B.Device, B.Era};
  });
}

Released releaseRole(uint32_t Role, void *Pointer) {
  Released Result;
  if (!mayBeBlock(Pointer))
    return Result;
  uint64_t Hash = hashAddress(Pointer);
  Shard &S = shardOf(Hash);
  Guard G(S.Lock);
  for (Block **Link = bucketOf(S, Hash); *Link; Link = &(*Link)->Next) {
    Block *B = *Link;
    if (B->Base != Pointer)
      continue;
    if (!(B->Roles & (1u << Role)))
      return Result;
    if (Role == ECHO_HOST && B->SecondHost)
      B->SecondHost = false;
    else
      B->Roles &= ~(1u << Role);
    Result.Held = true;
    Result.Device = B->Device;
    if (Role == ECHO_DEVICE)
      Result.DeviceBytes = B->DeviceBytes;
    if (!B->Roles) {
      Result.Last = unlink(Link);
    }
    return Result;
  }
  return Result;
}

void lockRegistry() {
  for (Shard &S : Shards)
    S.Lock.lock();
}

void unlockRegistry() {
  for (Shard &S : Shards)
    S.Lock.unlock();
}

} // namespace echo::rt
