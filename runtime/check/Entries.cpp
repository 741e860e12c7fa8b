//===- Entries.cpp - What the compiled program calls ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of EchoCheck.h. An access to memory of no candidate pair ends
// after one look at a table of pages; all else takes the lock.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Lock.h"
#include "runtime/check/Pairs.h"

#include <algorithm>
#include <cstring>

using namespace echo::check;

namespace echo::check {
std::atomic<bool> Locked{false};
__thread bool Inside = false;
} // namespace echo::check

__thread const EchoCheckPlace *echo_check_place = nullptr;

static void slowAccess(uintptr_t Address, size_t Bytes, bool Write,
                       const EchoCheckPlace *Place) {
  Entry Lock;
  if (Lock && !self().Hidden)
    accessMemory(Address, Bytes, Write, Place);
}

/// True if this thread did the same before and nothing can be new.
static inline bool isKnown(uintptr_t Address, size_t Bytes, bool Write) {
  Agent *A = Current;
  if (!A)
    return false;
  Agent::Recent &R = A->Buffers[Address >> 16 & 15];
  const size_t Low = Address - R.Base;
  if (Low >= R.Size ||
      R.Generation != Generation.load(std::memory_order_relaxed))
    return false;
  for (unsigned I = 0; I != R.NumBlocks; ++I)
    if (!R.Blocks[I]->known(Slot(R.Side), Low, Bytes, Write, *A))
      return false;
  if (!R.NumBlocks)
    return false;
  ++R.Accesses;
  R.Bytes += Bytes;
  return true;
}

template <bool Write>
static inline void look(const void *P, size_t Bytes,
                        const EchoCheckPlace *Place) {
  if (__builtin_expect(mayBeWatched(number(P)), false) &&
      !isKnown(number(P), Bytes, Write))
    slowAccess(number(P), Bytes, Write, Place);
}

/// Buffers smaller than a page may lie inside of a long access.
template <bool Write>
static void lookAt(const void *P, size_t Bytes, const EchoCheckPlace *Place) {
  if (!Bytes)
    return;
  if (Bytes <= 16)
    return look<Write>(P, Bytes, Place);
  constexpr uintptr_t PageBytes = 4096;
  const uintptr_t First = number(P), End = First + Bytes;
  for (uintptr_t At = First; At < End; At = (At | (PageBytes - 1)) + 1)
    if (mayBeWatched(At)) {
      slowAccess(First, Bytes, Write, Place);
      return;
    }
}

/// The same for a text that ends with a zero, as far as its buffer goes.
template <bool Write>
static void lookAtText(const void *P, const EchoCheckPlace *Place) {
  if (!P || !mayBeWatched(number(P)))
    return;
  size_t Room = 0;
  {
    Entry Lock;
    Buffer *B = Lock ? findBuffer(number(P)) : nullptr;
    Room = B ? B->Base + B->Size - number(P) : 0;
  }
  const size_t Length = strnlen(static_cast<const char *>(P), Room);
  lookAt<Write>(P, std::min(Length + 1, Room), Place);
}

extern "C" {

void echo_check_register(const EchoCheckUnit *Unit) {
  Entry Lock;
  if (Lock)
    addUnit(*Unit);
}

void echo_check_read(const void *P, size_t Bytes, const EchoCheckPlace *At) {
  lookAt<false>(P, Bytes, At);
}
void echo_check_write(const void *P, size_t Bytes, const EchoCheckPlace *At) {
  lookAt<true>(P, Bytes, At);
}
void echo_check_read4(const void *P, const EchoCheckPlace *At) {
  look<false>(P, 4, At);
}
void echo_check_read8(const void *P, const EchoCheckPlace *At) {
  look<false>(P, 8, At);
}
void echo_check_write4(const void *P, const EchoCheckPlace *At) {
  look<true>(P, 4, At);
}
void echo_check_write8(const void *P, const EchoCheckPlace *At) {
  look<true>(P, 8, At);
}

void echo_check_read_text(const void *P, const EchoCheckPlace *At) {
  lookAtText<false>(P, At);
}
void echo_check_write_text(const void *P, const EchoCheckPlace *At) {
  lookAtText<true>(P, At);
}

/// Nothing can be said of the pairs of the buffer at \p P from here on.
static void giveUp(const void *P, const EchoCheckPlace *At, const char *Why) {
  if (!P || !mayBeWatched(number(P)))
    return;
  Entry Lock;
  Buffer *B = Lock ? findBuffer(number(P)) : nullptr;
  if (!B)
    return;
  for (Pair *P : B->Origin->Pairs)
    if (P->NotFollowed.empty())
      P->NotFollowed.push_back({std::string(At ? At->what : "a function") +
                                    " gets " + P->name(B->Side) + Why,
                                At});
}

void echo_check_unknown(const void *P, const EchoCheckPlace *At) {
  giveUp(P, At, ", and nothing tells what it does with it");
}

void echo_check_pass(const void *P, const void *Checked,
                     const EchoCheckPlace *At) {
  if (!Checked)
    echo_check_unknown(P, At);
}

static void refuteAll(Buffer &B, const EchoCheckPlace *At, const char *What) {
  for (Block *K : B.Blocks)
    K->refute("S3", {{std::string(What) + K->Owner.name(B.Side), At}});
}

void echo_check_number(const void *P, const EchoCheckPlace *At) {
  if (!P || !mayBeWatched(number(P)))
    return;
  Entry Lock;
  if (Buffer *B = Lock ? findBuffer(number(P)) : nullptr)
    refuteAll(*B, At, "the program looks at the address of ");
}

/// A merged block is aligned as device memory is; one that is aligned so
/// already gives the same answer.
void echo_check_low_bits(const void *P, size_t Bytes,
                         const EchoCheckPlace *At) {
  if (!P || !mayBeWatched(number(P)))
    return;
  Entry Lock;
  Buffer *B = Lock ? findBuffer(number(P)) : nullptr;
  if (B && B->Base % Bytes)
    refuteAll(*B, At, "the program looks at the address of ");
}

void echo_check_compare(const void *P, const void *Q, int Order,
                        const EchoCheckPlace *At) {
  if (!mayBeWatched(number(P)) || !mayBeWatched(number(Q)))
    return;
  Entry Lock;
  Buffer *A = Lock ? findBuffer(number(P)) : nullptr;
  Buffer *B = A ? findBuffer(number(Q)) : nullptr;
  if (!B || A == B)
    return;
  const size_t OffsetA = number(P) - A->Base, OffsetB = number(Q) - B->Base;
  for (Block *K : A->Blocks)
    if (K->at(B->Side) == B &&
        (Order ? (OffsetA < OffsetB) != (P < Q) : OffsetA == OffsetB))
      K->refute("S3", {{"the program compares the addresses of " +
                            std::string(K->Owner.name(HostSlot)) + " and " +
                            K->Owner.name(DeviceSlot),
                        At}});
}

void echo_check_made(const void *) {}

void echo_check_publish(const void *P) {
  Entry Lock;
  if (Lock && !self().Hidden)
    release(self(), clockOf(P));
}
void echo_check_see(const void *P) {
  Entry Lock;
  if (Lock && !self().Hidden)
    acquire(self(), clockOf(P));
}

void echo_check_fork(void) {
  Entry Lock;
  if (!Lock)
    return;
  Clock Mine;
  release(self(), Mine);
  for (Agent *A : helpers())
    acquire(*A, Mine);
}
void echo_check_join(void) {
  Entry Lock;
  if (!Lock)
    return;
  for (Agent *A : helpers()) {
    Clock Theirs;
    release(*A, Theirs);
    acquire(self(), Theirs);
  }
}

void echo_check_allocated(void *Base, size_t Bytes, int OnDevice) {
  Entry Lock;
  if (Lock && echo_check_place)
    addBuffer(number(Base), Bytes, OnDevice, !OnDevice, echo_check_place);
}

void echo_check_freed(void *Base) {
  if (!mayBeWatched(number(Base)))
    return;
  Entry Lock;
  if (Lock)
    dropBuffer(number(Base));
}

void echo_check_reset(void) {
  Entry Lock;
  if (Lock)
    resetDevice();
}

void echo_check_copy(void *Dst, size_t DstPitch, const void *Src,
                     size_t SrcPitch, size_t Width, size_t Height, int Parts) {
  Entry Lock;
  if (!Lock)
    return;
  const bool Dense = DstPitch == Width && SrcPitch == Width;
  const size_t Rows = Dense ? 1 : Height,
               Bytes = Dense ? Width * Height : Width;
  for (size_t Row = 0; Row != Rows; ++Row)
    copyMemory(number(Dst) + Row * DstPitch, number(Src) + Row * SrcPitch,
               Bytes, Parts, echo_check_place);
}

void echo_check_set(void *Dst, size_t Pitch, size_t Width, size_t Height) {
  Entry Lock;
  for (size_t Row = 0; Lock && Row != Height; ++Row)
    accessMemory(number(Dst) + Row * Pitch, Width, true, echo_check_place);
}

// What the CPU device says of order, as it would to ThreadSanitizer. A key is
// a number of the device that starts as 0.

static Clock &clockIn(void *Key) {
  auto *&Mine = *static_cast<Clock **>(Key);
  if (!Mine)
    Mine = new Clock;
  return *Mine;
}

void __tsan_acquire(void *Key) {
  Entry Lock;
  if (Lock)
    acquire(self(), clockIn(Key));
}
void __tsan_release(void *Key) {
  Entry Lock;
  if (Lock)
    release(self(), clockIn(Key));
}
void echo_check_forget(uint64_t *Key) {
  Entry Lock;
  if (!Lock)
    return;
  delete *reinterpret_cast<Clock **>(Key);
  *Key = 0;
}

const void *echo_check_here(void) { return echo_check_place; }

void *__tsan_get_current_fiber(void) { return &self(); }
void *__tsan_create_fiber(unsigned) {
  Entry Lock;
  return makeAgent(nullptr);
}
void __tsan_destroy_fiber(void *) {}
void __tsan_switch_to_fiber(void *Fiber, unsigned) {
  become(static_cast<Agent *>(Fiber));
}
void __tsan_read_range(void *, unsigned long) {}
void __tsan_write_range(void *, unsigned long) {}
/// A stream's thread begins work that was queued at \p Place.
void __tsan_func_entry(void *Place) {
  echo_check_place = static_cast<const EchoCheckPlace *>(Place);
}
void __tsan_func_exit(void) { echo_check_place = nullptr; }
void AnnotateIgnoreSyncBegin(const char *, int) { ++self().Hidden; }
void AnnotateIgnoreSyncEnd(const char *, int) { --self().Hidden; }
void AnnotateIgnoreReadsBegin(const char *, int) {}
void AnnotateIgnoreReadsEnd(const char *, int) {}
void AnnotateIgnoreWritesBegin(const char *, int) {}
void AnnotateIgnoreWritesEnd(const char *, int) {}

} // extern "C"
