//===- ResizeTest.cpp - realloc of a block, or to one ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the content goes, who holds the roles afterwards, and what is left when
// there is no memory.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "FakeLibc.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

static constexpr size_t N = 1 << 20;
static EchoGroup G = makeGroup();

static char *acquire(uint32_t Role, size_t Bytes, void *Partner) {
  return static_cast<char *>(echort_acquire(&G, Role, Bytes, Partner, 0));
}
static bool isAll(const char *P, size_t Bytes, char Value) {
  for (size_t I = 0; I < Bytes; ++I)
    if (P[I] != Value)
      return false;
  return true;
}

TEST_CASE("what is no block is the program's") {
  FRESH({}, [] {
    void *Own = malloc(16), *Fresh = Own;
    EXPECT(echort_resize(Own, 32, nullptr, &Fresh) == 0 && Fresh == Own);
    EXPECT(echort_resize(nullptr, 32, nullptr, &Fresh) == 0 && Fresh == Own);
    free(Own);
  });
}

TEST_CASE("a block's content goes to memory of the program's own") {
  for (size_t Bytes : {N / 2, N, 3 * N})
    FRESH({}, [=] {
      char *H = acquire(ECHO_HOST, N, nullptr);
      EXPECT(acquire(ECHO_DEVICE, N, H) == H);
      memset(H, 5, N);
      void *Fresh = nullptr;
      EXPECT(echort_resize(H, Bytes, nullptr, &Fresh) == 1);
      EXPECT(Fresh && Fresh != H &&
             isAll(static_cast<char *>(Fresh), Bytes < N ? Bytes : N, 5));
      EXPECT(echort_release(ECHO_HOST, H) == 0);
      H[0] = 6; // still the device's
      EXPECT(echort_release(ECHO_DEVICE, H) == 1);
      EXPECT(echort_release(ECHO_HOST, Fresh) == 0);
      free(Fresh);
    });
}

TEST_CASE("no bytes: the block is freed") {
  FRESH({}, [] {
    char *H = acquire(ECHO_HOST, N, nullptr);
    void *Fresh = H;
    EXPECT(echort_resize(H, 0, nullptr, &Fresh) == 1 && !Fresh);
    EXPECT(echort_release(ECHO_HOST, H) == 0);
  });
}

TEST_CASE("the program's own memory becomes a block") {
  FRESH({}, [] {
    char *D = acquire(ECHO_DEVICE, N, nullptr);
    void *Old = malloc(100), *Fresh = nullptr;
    memset(Old, 7, 100);
    char *H = acquire(ECHO_HOST, N, D);
    EXPECT(H == D);
    EXPECT(echort_resize(Old, N, H, &Fresh) == 1);
    EXPECT(Fresh == D && isAll(D, 100, 7));
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(echort_resize(nullptr, N, acquire(ECHO_HOST, N, D), &Fresh) == 1);
    EXPECT(Fresh == D && isAll(D, 100, 7));
  });
}

TEST_CASE("one block after the other") {
  FRESH({}, [] {
    char *H = acquire(ECHO_HOST, N, nullptr);
    EXPECT(acquire(ECHO_DEVICE, N, H) == H);
    memset(H, 8, N);
    void *Fresh = nullptr;
    char *Next = acquire(ECHO_HOST, 2 * N, nullptr);
    EXPECT(Next && Next != H && echort_resize(H, 2 * N, Next, &Fresh) == 1);
    EXPECT(Fresh == Next && isAll(Next, N, 8));
    EXPECT(acquire(ECHO_DEVICE, 2 * N, Next) == Next);
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    EXPECT(echort_release(ECHO_HOST, H) == 0);
  });
}

TEST_CASE("without memory the old buffer stays") {
  FRESH({}, [] {
    char *H = acquire(ECHO_HOST, N, nullptr);
    memset(H, 9, N);
    void *Fresh = H;
    fake::failLibcCall(1);
    errno = 0;
    EXPECT(echort_resize(H, N / 2, nullptr, &Fresh) == 1 && !Fresh);
    EXPECT(errno == ENOMEM && isAll(H, N, 9));
    fake::failLibcCall(0);
    // The other way round: libc's realloc has none, and the block goes.
    void *Own = malloc(100);
    memset(Own, 1, 100);
    char *Block = acquire(ECHO_HOST, N, nullptr);
    Fresh = Block;
    EXPECT(echort_resize(Own, SIZE_MAX / 2, Block, &Fresh) == 1 && !Fresh);
    EXPECT(isAll(static_cast<char *>(Own), 100, 1));
    EXPECT(echort_release(ECHO_HOST, Block) == 0);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    free(Own);
  });
}
