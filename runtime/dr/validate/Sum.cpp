//===- Sum.cpp - Sums of what buffers hold --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation sums each buffer twice for a window, so a sum must not take longer
// than a copy. By AVX2 each word is added to the partner of its lane, and the
// product of its halves, after a key that depends on the place was added, to
// its own lane: no change of one word is lost, and a change of two shows by
// the keys.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Sum.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace echo::dr {

static constexpr uint64_t Odd = 0x9e3779b97f4a7c15u;
static constexpr unsigned Lanes = 8; // so many multiplications are under way

static uint64_t mixed(const uint64_t (&Sums)[Lanes]) {
  uint64_t Sum = 0;
  for (const uint64_t Each : Sums) {
    Sum = (Sum ^ Each) * Odd;
    Sum ^= Sum >> 29;
  }
  return Sum;
}

uint64_t narrowSumOf(const void *Base, size_t Bytes) {
  uint64_t Sums[Lanes] = {1, 2, 3, 4, 5, 6, 7, 8}, Words[Lanes];
  const auto *At = static_cast<const char *>(Base);
  const auto Mix = [&] {
    for (unsigned I = 0; I != Lanes; ++I) {
      Sums[I] = (Sums[I] ^ Words[I]) * Odd;
      Sums[I] ^= Sums[I] >> 29;
    }
  };
  size_t Left = Bytes;
  for (; Left >= sizeof Words; Left -= sizeof Words, At += sizeof Words) {
    memcpy(Words, At, sizeof Words);
    Mix();
  }
  memset(Words, 0, sizeof Words);
  memcpy(Words, At, Left);
  Mix();
  return mixed(Sums);
}

#ifdef __x86_64__

bool hasWideSum() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

__attribute__((target("avx2"))) uint64_t wideSumOf(const void *Base,
                                                   size_t Bytes) {
  constexpr size_t Step = 128; // of four registers
  const auto *At = static_cast<const char *>(Base);
  __m256i Sums[4], Keys[4];
  for (int I = 0; I != 4; ++I) {
    Sums[I] = _mm256_set1_epi64x(I + 1);
    const auto Key = static_cast<long long>(Odd * (4 * unsigned(I) + 1));
    Keys[I] = _mm256_add_epi64(
        _mm256_set1_epi64x(Key),
        _mm256_set_epi64x(0x165667b19e3779f9, 0x27d4eb2f165667c5,
                          0x61c8864e7a143579, 0x2545f4914f6cdd1d));
  }
  const __m256i Next = _mm256_set1_epi64x(static_cast<long long>(Odd));
  const auto Add = [&](const char *From) __attribute__((target("avx2"))) {
    for (int I = 0; I != 4; ++I) {
      const __m256i Words =
          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(From + 32 * I));
      const __m256i Keyed = _mm256_add_epi64(Words, Keys[I]);
      const __m256i Product =
          _mm256_mul_epu32(Keyed, _mm256_srli_epi64(Keyed, 32));
      const __m256i Partner = _mm256_shuffle_epi32(Words, 0x4e);
      Sums[I] = _mm256_add_epi64(_mm256_add_epi64(Sums[I], Partner), Product);
      Keys[I] = _mm256_add_epi64(Keys[I], Next);
    }
  };
  size_t Left = Bytes;
  for (; Left >= Step; Left -= Step, At += Step)
    Add(At);
  char Last[Step] = {};
  memcpy(Last, At, Left);
  Add(Last);
  uint64_t Sum = 0;
  for (const __m256i &Each : Sums) {
    uint64_t Parts[Lanes] = {};
    memcpy(Parts, &Each, sizeof Each);
    Sum = (Sum ^ mixed(Parts)) * Odd;
  }
  return Sum;
}

uint64_t sumOf(const void *Base, size_t Bytes) {
  static const bool Wide = hasWideSum(); // lock held: no guard is needed
  return Wide ? wideSumOf(Base, Bytes) : narrowSumOf(Base, Bytes);
}

#else

bool hasWideSum() { return false; }
uint64_t wideSumOf(const void *Base, size_t Bytes) {
  return narrowSumOf(Base, Bytes);
}
uint64_t sumOf(const void *Base, size_t Bytes) {
  return narrowSumOf(Base, Bytes);
}

#endif

} // namespace echo::dr
