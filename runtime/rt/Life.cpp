//===- Life.cpp - Was a device reset since? -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One page per device, made with the first block of CUDA's memory there. Its
// address alone proves nothing: after a reset other memory may lie there, so
// its content is compared. No CUDA call is made with the lock held.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Life.h"
#include "runtime/rt/Memory.h"

#include <string.h>
#include <time.h>

namespace echo::rt {

namespace {
struct Token {
  char *Page = nullptr;
  uint32_t Life = 0; ///< 0: there is none
  uint8_t Content[32] = {};
};
} // namespace

static constexpr int MaxDevices = 64;
static Token Tokens[MaxDevices];
static Mutex TokensLock;
static uint32_t LastLife; ///< with the lock held

/// The token of \p Device as it is now. Its Life is 0 if nothing is known.
static Token tokenOf(int Device) {
  // A child neither calls CUDA nor takes a lock that a thread which it does not
  // have may hold.
  if (Device < 0 || Device >= MaxDevices || forkEra())
    return {};
  Guard G(TokensLock);
  return Tokens[Device];
}

static Fate fateOf(const Token &T) {
  if (!T.Life)
    return Fate::Gone;
  Fate Page = fateOf(Backing::Mapped, T.Page);
  return Page == Fate::Lives && memcmp(T.Page, T.Content, sizeof T.Content)
             ? Fate::Gone
             : Page;
}

/// Bytes that no other memory holds at the place of \p T.
static void fill(Token &T) {
  static uint64_t Counter;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  uint64_t X =
      __atomic_add_fetch(&Counter, 0x9e3779b97f4a7c15ull, __ATOMIC_RELAXED) ^
      static_cast<uint64_t>(Now.tv_nsec) << 20 ^
      reinterpret_cast<uintptr_t>(T.Page);
  for (size_t I = 0; I != sizeof T.Content; I += sizeof X) {
    X ^= X >> 30, X *= 0xbf58476d1ce4e5b9ull, X ^= X >> 27;
    memcpy(T.Content + I, &X, sizeof X);
  }
  memcpy(T.Page, T.Content, sizeof T.Content);
}

uint32_t lifeOf(int Device) {
  Token T = tokenOf(Device);
  return fateOf(T) == Fate::Lives ? T.Life : 0;
}

Fate fateOf(int Device, uint32_t Life) {
  Token T = tokenOf(Device);
  return T.Life == Life ? fateOf(T) : Fate::Gone;
}

uint32_t beginLife(int Device, void (*Began)(int Device, uint32_t Life)) {
  Token Old = tokenOf(Device);
  if (fateOf(Old) != Fate::Gone)
    return Old.Life; // it did not end as far as CUDA says
  if (Device < 0 || Device >= MaxDevices || forkEra())
    return 0;
  size_t Bytes = roundToPages(1);
  Token Fresh;
  Fresh.Page = allocateMemory(Backing::Mapped, Bytes);
  if (!Fresh.Page)
    return 0;
  fill(Fresh);
  {
    Guard G(TokensLock);
    if (Tokens[Device].Life == Old.Life) {
      Fresh.Life = ++LastLife;
      Tokens[Device] = Fresh;
    }
  }
  if (Fresh.Life) {
    Began(Device, Fresh.Life);
    return Fresh.Life;
  }
  // Another thread was faster. (To free the page would wait for the device.)
  return lifeOf(Device);
}

} // namespace echo::rt
