//===- Generators.cpp - cuRAND's host API ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pseudorandom numbers from the C++ library's Mersenne Twister, whatever the
// generator's type: the distributions are cuRAND's, the numbers are not. The
// same seed, offset and calls give the same numbers. Quasirandom generators are
// refused.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/HandlePool.h"
#include "runtime/cpu/libs/common/Accesses.h"
#include "runtime/cpu/libs/common/Work.h"

#include <atomic>
#include <cmath>
#include <curand.h>
#include <mutex>
#include <random>

using namespace echo::cpulibs;

namespace {
/// Where a sequence has come to; work that is queued goes on from there.
struct Sequence {
  std::mutex Mutex;
  std::mt19937 Engine;
  Sequence(unsigned long long Seed, unsigned long long Offset)
      : Engine(seeded(Seed)) {
    Engine.discard(Offset);
  }

private:
  static std::mt19937 seeded(unsigned long long Seed) {
    std::seed_seq Mixed{uint32_t(Seed), uint32_t(Seed >> 32)};
    return std::mt19937(Mixed);
  }
};
} // namespace

struct curandGenerator_st {
  static constexpr uint64_t AliveMagic = 0x646e617275634563;
  std::atomic<uint64_t> Magic{0};
  bool OnHost = false;
  cudaStream_t Stream = nullptr;
  unsigned long long Seed = 0, Offset = 0;
  /// Made when it is used; a new seed or offset begins a new one.
  std::shared_ptr<Sequence> Current;
};

static echo::cpu::HandlePool<curandGenerator_st> &pool() {
  static auto *P = new echo::cpu::HandlePool<curandGenerator_st>;
  return *P;
}

static bool isAlive(curandGenerator_t G) {
  return G &&
         reinterpret_cast<uintptr_t>(G) % alignof(curandGenerator_st) == 0 &&
         G->Magic.load(std::memory_order_acquire) ==
             curandGenerator_st::AliveMagic;
}

static curandStatus_t create(curandGenerator_t *Out, curandRngType_t Type,
                             bool OnHost) {
  if (!Out)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  switch (Type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    break;
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    sayUnsupported("curandCreateGenerator", "a quasirandom generator");
    return CURAND_STATUS_TYPE_ERROR;
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!OnHost && echo_cpu_start())
    return CURAND_STATUS_INITIALIZATION_FAILED;
  curandGenerator_t G = pool().take();
  G->OnHost = OnHost;
  G->Stream = nullptr;
  G->Seed = G->Offset = 0;
  G->Current = nullptr;
  G->Magic.store(curandGenerator_st::AliveMagic, std::memory_order_release);
  *Out = G;
  return CURAND_STATUS_SUCCESS;
}

/// Fills \p Out with \p Count values of \p Draw, which takes an engine: in the
/// generator's stream, or at once for one of the host.
template <typename T, typename Fn>
[[gnu::always_inline]] static inline curandStatus_t
generate(curandGenerator_t G, T *Out, size_t Count, Fn Draw) {
  if (!isAlive(G))
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!Out && Count)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (!G->Current)
    G->Current = std::make_shared<Sequence>(G->Seed, G->Offset);
  auto Body = [From = G->Current, Out, Count, Draw]() mutable {
    note(Does::Write, Out, Count * sizeof *Out);
    std::lock_guard<std::mutex> Guard(From->Mutex);
    for (size_t I = 0; I != Count; ++I)
      Out[I] = T(Draw(From->Engine));
  };
  if (G->OnHost) {
    Body();
    return CURAND_STATUS_SUCCESS;
  }
  int Error = queueWork(G->Stream, false, std::move(Body));
  if (Error == OutOfMemory)
    return CURAND_STATUS_ALLOCATION_FAILED;
  return Error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static uint64_t draw64(std::mt19937 &Engine) {
  uint64_t High = Engine();
  return High << 32 | Engine();
}

/// Normal numbers come in pairs.
template <typename T, bool Log>
[[gnu::always_inline]] static inline curandStatus_t
generateNormal(curandGenerator_t G, T *Out, size_t Count, T Mean, T Deviation) {
  if (isAlive(G) && Count % 2)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (isAlive(G) && !(Deviation > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generate(G, Out, Count,
                  [D = std::normal_distribution<T>(Mean, Deviation)](
                      std::mt19937 &Engine) mutable {
                    return Log ? std::exp(D(Engine)) : D(Engine);
                  });
}

/// Changes where the generator's sequence begins.
static curandStatus_t restart(curandGenerator_t G,
                              unsigned long long curandGenerator_st::*Field,
                              unsigned long long Value) {
  if (!isAlive(G))
    return CURAND_STATUS_NOT_INITIALIZED;
  G->*Field = Value;
  G->Current = nullptr;
  return CURAND_STATUS_SUCCESS;
}

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *Out,
                                     curandRngType_t Type) {
  return create(Out, Type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *Out,
                                         curandRngType_t Type) {
  return create(Out, Type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t G) {
  if (!isAlive(G))
    return CURAND_STATUS_NOT_INITIALIZED;
  G->Magic.store(0);
  G->Current = nullptr;
  pool().put(G);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *Version) {
  if (!Version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *Version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType Type, int *Value) {
  const int Numbers[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (!Value || unsigned(Type) > unsigned(PATCH_LEVEL))
    return CURAND_STATUS_OUT_OF_RANGE;
  *Value = Numbers[Type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t G, cudaStream_t S) {
  if (!isAlive(G))
    return CURAND_STATUS_NOT_INITIALIZED;
  G->Stream = S;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t G,
                                                  unsigned long long Seed) {
  return restart(G, &curandGenerator_st::Seed, Seed);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t G,
                                        unsigned long long Offset) {
  return restart(G, &curandGenerator_st::Offset, Offset);
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t G,
                                          curandOrdering_t) {
  return isAlive(G) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t G,
                                                       unsigned) {
  return isAlive(G) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t G) {
  return isAlive(G) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

ECHO_FOLLOWED(curandGenerate)
curandStatus_t curandGenerate(curandGenerator_t G, unsigned *Out,
                              size_t Count) {
  return generate(G, Out, Count, [](std::mt19937 &E) { return E(); });
}

// Only quasirandom generators of 64 bits have it.
curandStatus_t curandGenerateLongLong(curandGenerator_t G, unsigned long long *,
                                      size_t) {
  return isAlive(G) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

// More than 0 and up to 1, as cuRAND's.
ECHO_FOLLOWED(curandGenerateUniform)
curandStatus_t curandGenerateUniform(curandGenerator_t G, float *Out,
                                     size_t Count) {
  return generate(G, Out, Count, [](std::mt19937 &E) {
    return float((E() >> 8) + 1) * 0x1p-24f;
  });
}
ECHO_FOLLOWED(curandGenerateUniformDouble)
curandStatus_t curandGenerateUniformDouble(curandGenerator_t G, double *Out,
                                           size_t Count) {
  return generate(G, Out, Count, [](std::mt19937 &E) {
    return double((draw64(E) >> 11) + 1) * 0x1p-53;
  });
}

ECHO_FOLLOWED(curandGenerateNormal)
curandStatus_t curandGenerateNormal(curandGenerator_t G, float *Out,
                                    size_t Count, float Mean, float Deviation) {
  return generateNormal<float, false>(G, Out, Count, Mean, Deviation);
}
ECHO_FOLLOWED(curandGenerateNormalDouble)
curandStatus_t curandGenerateNormalDouble(curandGenerator_t G, double *Out,
                                          size_t Count, double Mean,
                                          double Deviation) {
  return generateNormal<double, false>(G, Out, Count, Mean, Deviation);
}
ECHO_FOLLOWED(curandGenerateLogNormal)
curandStatus_t curandGenerateLogNormal(curandGenerator_t G, float *Out,
                                       size_t Count, float Mean,
                                       float Deviation) {
  return generateNormal<float, true>(G, Out, Count, Mean, Deviation);
}
ECHO_FOLLOWED(curandGenerateLogNormalDouble)
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t G, double *Out,
                                             size_t Count, double Mean,
                                             double Deviation) {
  return generateNormal<double, true>(G, Out, Count, Mean, Deviation);
}

ECHO_FOLLOWED(curandGeneratePoisson)
curandStatus_t curandGeneratePoisson(curandGenerator_t G, unsigned *Out,
                                     size_t Count, double Lambda) {
  if (isAlive(G) && !(Lambda > 0 && Lambda <= 4e5))
    return CURAND_STATUS_OUT_OF_RANGE;
  return generate(G, Out, Count,
                  [D = std::poisson_distribution<unsigned>(Lambda)](
                      std::mt19937 &E) mutable { return D(E); });
}

} // extern "C"
