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

/// One step of the narrow sum; also how lanes become one number.
static uint64_t mix(uint64_t Sum, uint64_t Word) {
  Sum = (Sum ^ Word) * Odd;
  return Sum ^ Sum >> 29;
}

void Sum::addNarrow(const char *At, size_t Bytes) {
  uint64_t Words[Lanes];
  constexpr size_t Size = sizeof Words;
  const auto Mix = [&] {
    for (unsigned I = 0; I != Lanes; ++I)
      Sums[I] = mix(Sums[I], Words[I]);
  };
  for (; Bytes >= Size; Bytes -= Size, At += Size) {
    memcpy(Words, At, Size);
    Mix();
  }
  if (!Bytes)
    return;
  memset(Words, 0, Size);
  memcpy(Words, At, Bytes);
  Mix();
}

#ifdef __x86_64__

bool hasWideSum() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

__attribute__((target("avx2"))) void Sum::addWide(const char *At,
                                                  size_t Bytes) {
  __m256i S[4], K[4];
  for (size_t I = 0; I != 4; ++I) {
    S[I] = _mm256_load_si256(reinterpret_cast<const __m256i *>(Sums + 4 * I));
    K[I] = _mm256_load_si256(reinterpret_cast<const __m256i *>(Keys + 4 * I));
  }
  const __m256i Next = _mm256_set1_epi64x(static_cast<long long>(Odd));
  const auto Add = [&](const char *From) __attribute__((target("avx2"))) {
    for (size_t I = 0; I != 4; ++I) {
      const __m256i Words =
          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(From + 32 * I));
      const __m256i Keyed = _mm256_add_epi64(Words, K[I]);
      const __m256i Product =
          _mm256_mul_epu32(Keyed, _mm256_srli_epi64(Keyed, 32));
      const __m256i Partner = _mm256_shuffle_epi32(Words, 0x4e);
      S[I] = _mm256_add_epi64(_mm256_add_epi64(S[I], Partner), Product);
      K[I] = _mm256_add_epi64(K[I], Next);
    }
  };
  for (; Bytes >= Step; Bytes -= Step, At += Step)
    Add(At);
  if (Bytes) {
    char Last[Step] = {};
    memcpy(Last, At, Bytes);
    Add(Last);
  }
  for (size_t I = 0; I != 4; ++I) {
    _mm256_store_si256(reinterpret_cast<__m256i *>(Sums + 4 * I), S[I]);
    _mm256_store_si256(reinterpret_cast<__m256i *>(Keys + 4 * I), K[I]);
  }
}

#else

bool hasWideSum() { return false; }
void Sum::addWide(const char *At, size_t Bytes) { addNarrow(At, Bytes); }

#endif

Sum::Sum(bool Wide) : Wide(Wide) {
  static constexpr uint64_t First[] = {0x2545f4914f6cdd1d, 0x8e1c5a0d7a143579,
                                       0x27d4eb2f165667c5, 0x165667b19e3779f9};
  for (unsigned I = 0; I != 16; ++I) {
    Sums[I] = I + 1;
    Keys[I] = Odd * (I + 1) + First[I % 4];
  }
}

static bool wideIsThere() {
  static const bool Wide = hasWideSum(); // lock held: no guard is needed
  return Wide;
}

Sum::Sum() : Sum(wideIsThere()) {}

void Sum::add(const void *Base, size_t Bytes) {
  const auto *At = static_cast<const char *>(Base);
  return Wide ? addWide(At, Bytes) : addNarrow(At, Bytes);
}

uint64_t Sum::value() const {
  uint64_t Value = 0;
  for (const uint64_t Each : Sums)
    Value = mix(Value, Each);
  return Value;
}

static uint64_t wholeSum(Sum S, const void *Base, size_t Bytes) {
  S.add(Base, Bytes);
  return S.value();
}

uint64_t sumOf(const void *Base, size_t Bytes) {
  return wholeSum(Sum(), Base, Bytes);
}
uint64_t narrowSumOf(const void *Base, size_t Bytes) {
  return wholeSum(Sum(false), Base, Bytes);
}
uint64_t wideSumOf(const void *Base, size_t Bytes) {
  return wholeSum(Sum(true), Base, Bytes);
}

} // namespace echo::dr
