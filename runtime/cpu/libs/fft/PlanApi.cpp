//===- PlanApi.cpp - Making and asking plans ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and their numbers. A handle names one plan from its creation to its
// destruction; work that is queued then still runs.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/common/Work.h"
#include "runtime/cpu/libs/fft/Plan.h"

#include <map>
#include <mutex>

using namespace echo::cpulibs;

namespace {
struct Table {
  std::mutex Mutex;
  cufftHandle Next = 1;
  std::map<cufftHandle, std::shared_ptr<Plan>> Plans;
};
} // namespace

static Table &table() {
  static auto *T = new Table;
  return *T;
}

std::shared_ptr<Plan> echo::cpulibs::findPlan(cufftHandle Handle) {
  Table &T = table();
  std::lock_guard<std::mutex> Guard(T.Mutex);
  auto It = T.Plans.find(Handle);
  return It == T.Plans.end() ? nullptr : It->second;
}

static bool isType(cufftType Type) {
  switch (Type) {
  case CUFFT_C2C:
  case CUFFT_R2C:
  case CUFFT_C2R:
  case CUFFT_Z2Z:
  case CUFFT_D2Z:
  case CUFFT_Z2D:
    return true;
  }
  return false;
}

/// Reads one side's layout; false if it is none.
template <typename Int>
static bool readLayout(int Rank, const Int *Embed, Int Stride, Int Distance,
                       Layout &L) {
  L.Given = true;
  for (int I = 0; I != Rank; ++I) {
    L.Embed[I] = Embed[I];
    if (I && Embed[I] <= 0)
      return false;
  }
  L.Stride = Stride;
  L.Distance = Distance;
  return Stride > 0 && Distance >= 0;
}

/// Describes a transform; without either embedding both sides are contiguous,
/// as cuFFT says.
template <typename Int>
static cufftResult describe(int Rank, const Int *N, const Int *InEmbed,
                            Int InStride, Int InDistance, const Int *OutEmbed,
                            Int OutStride, Int OutDistance, cufftType Type,
                            Int Batch, Shape &S) {
  if (!isType(Type))
    return CUFFT_INVALID_TYPE;
  if (Rank < 1 || Rank > 3 || !N)
    return CUFFT_INVALID_VALUE;
  S = Shape();
  S.Rank = Rank;
  S.Type = Type;
  S.Batch = Batch;
  if (Batch < 1)
    return CUFFT_INVALID_SIZE;
  for (int I = 0; I != Rank; ++I) {
    S.Size[I] = N[I];
    if (N[I] < 1)
      return CUFFT_INVALID_SIZE;
  }
  if (InEmbed && OutEmbed &&
      (!readLayout(Rank, InEmbed, InStride, InDistance, S.In) ||
       !readLayout(Rank, OutEmbed, OutStride, OutDistance, S.Out)))
    return CUFFT_INVALID_VALUE;
  return CUFFT_SUCCESS;
}

static cufftResult describeSizes(int Rank, int Nx, int Ny, int Nz,
                                 cufftType Type, int Batch, Shape &S) {
  const int N[] = {Nx, Ny, Nz};
  return describe<int>(Rank, N, nullptr, 1, 0, nullptr, 1, 0, Type, Batch, S);
}

/// Makes the plan that \p Handle names, of shape \p S, if \p Described says
/// that it is one.
static cufftResult make(cufftHandle Handle, cufftResult Described,
                        const Shape &S, size_t *WorkSize) {
  std::shared_ptr<Plan> P = findPlan(Handle);
  // A plan is made once.
  if (!P || P->Made)
    return CUFFT_INVALID_PLAN;
  if (Described != CUFFT_SUCCESS)
    return Described;
  P->What = S;
  P->Made = true;
  if (WorkSize)
    *WorkSize = workBytes(S);
  return CUFFT_SUCCESS;
}

static cufftResult size(cufftResult Described, const Shape &S,
                        size_t *WorkSize) {
  if (Described == CUFFT_SUCCESS && !WorkSize)
    return CUFFT_INVALID_VALUE;
  if (Described == CUFFT_SUCCESS)
    *WorkSize = workBytes(S);
  return Described;
}

/// cufftPlan*: creates a handle and makes its plan.
static cufftResult createMade(cufftHandle *Handle, cufftResult Described,
                              const Shape &S) {
  if (Described != CUFFT_SUCCESS)
    return Described;
  if (cufftResult Result = cufftCreate(Handle); Result != CUFFT_SUCCESS)
    return Result;
  return make(*Handle, Described, S, nullptr);
}

static cufftResult sizeOf(cufftHandle Handle, cufftResult Described,
                          const Shape &S, size_t *WorkSize) {
  return findPlan(Handle) ? size(Described, S, WorkSize) : CUFFT_INVALID_PLAN;
}

extern "C" {

cufftResult cufftCreate(cufftHandle *Handle) {
  if (!Handle)
    return CUFFT_INVALID_VALUE;
  if (echo_cpu_start())
    return CUFFT_SETUP_FAILED;
  Table &T = table();
  std::lock_guard<std::mutex> Guard(T.Mutex);
  *Handle = T.Next++;
  T.Plans.emplace(*Handle, std::make_shared<Plan>());
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle Handle) {
  std::shared_ptr<Plan> P = findPlan(Handle);
  if (!P)
    return CUFFT_INVALID_PLAN;
  Table &T = table();
  std::lock_guard<std::mutex> Guard(T.Mutex);
  T.Plans.erase(Handle);
  return CUFFT_SUCCESS;
}

// The four ways to name a shape: parameters, then the arguments of describe().
#define SHAPE_1D(X)                                                            \
  X(1d, (int Nx, cufftType Type, int Batch),                                   \
    describeSizes(1, Nx, 1, 1, Type, Batch, S))
#define SHAPE_2D(X)                                                            \
  X(2d, (int Nx, int Ny, cufftType Type),                                      \
    describeSizes(2, Nx, Ny, 1, Type, 1, S))
#define SHAPE_3D(X)                                                            \
  X(3d, (int Nx, int Ny, int Nz, cufftType Type),                              \
    describeSizes(3, Nx, Ny, Nz, Type, 1, S))
#define SHAPE_MANY(X)                                                          \
  X(Many,                                                                      \
    (int Rank, int *N, int *InEmbed, int InStride, int InDistance,             \
     int *OutEmbed, int OutStride, int OutDistance, cufftType Type,            \
     int Batch),                                                               \
    describe<int>(Rank, N, InEmbed, InStride, InDistance, OutEmbed, OutStride, \
                  OutDistance, Type, Batch, S))
#define SHAPE_MANY64(X)                                                        \
  X(Many64,                                                                    \
    (int Rank, long long *N, long long *InEmbed, long long InStride,           \
     long long InDistance, long long *OutEmbed, long long OutStride,           \
     long long OutDistance, cufftType Type, long long Batch),                  \
    describe<long long>(Rank, N, InEmbed, InStride, InDistance, OutEmbed,      \
                        OutStride, OutDistance, Type, Batch, S))
#define UNPACK(...) __VA_ARGS__

#define DEFINE_MAKE(Suffix, Params, Describe)                                  \
  cufftResult cufftMakePlan##Suffix(cufftHandle Handle, UNPACK Params,         \
                                    size_t *WorkSize) {                        \
    Shape S;                                                                   \
    cufftResult Described = Describe;                                          \
    return make(Handle, Described, S, WorkSize);                               \
  }                                                                            \
  cufftResult cufftGetSize##Suffix(cufftHandle Handle, UNPACK Params,          \
                                   size_t *WorkSize) {                         \
    Shape S;                                                                   \
    cufftResult Described = Describe;                                          \
    return sizeOf(Handle, Described, S, WorkSize);                             \
  }
#define DEFINE_PLAN(Suffix, Params, Describe)                                  \
  cufftResult cufftPlan##Suffix(cufftHandle *Handle, UNPACK Params) {          \
    Shape S;                                                                   \
    cufftResult Described = Describe;                                          \
    return createMade(Handle, Described, S);                                   \
  }                                                                            \
  cufftResult cufftEstimate##Suffix(UNPACK Params, size_t *WorkSize) {         \
    Shape S;                                                                   \
    cufftResult Described = Describe;                                          \
    return size(Described, S, WorkSize);                                       \
  }
SHAPE_1D(DEFINE_MAKE)
SHAPE_2D(DEFINE_MAKE)
SHAPE_3D(DEFINE_MAKE)
SHAPE_MANY(DEFINE_MAKE)
SHAPE_MANY64(DEFINE_MAKE)
SHAPE_1D(DEFINE_PLAN)
SHAPE_2D(DEFINE_PLAN)
SHAPE_3D(DEFINE_PLAN)
SHAPE_MANY(DEFINE_PLAN)

cufftResult cufftGetSize(cufftHandle Handle, size_t *WorkSize) {
  std::shared_ptr<Plan> P = findPlan(Handle);
  if (!P || !P->Made)
    return CUFFT_INVALID_PLAN;
  return size(CUFFT_SUCCESS, P->What, WorkSize);
}

cufftResult cufftSetStream(cufftHandle Handle, cudaStream_t S) {
  std::shared_ptr<Plan> P = findPlan(Handle);
  if (!P)
    return CUFFT_INVALID_PLAN;
  P->Stream = S;
  return CUFFT_SUCCESS;
}

// FFTW has work areas of its own.
cufftResult cufftSetWorkArea(cufftHandle Handle, void *) {
  return findPlan(Handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle Handle, int) {
  return findPlan(Handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetVersion(int *Version) {
  if (!Version)
    return CUFFT_INVALID_VALUE;
  *Version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType Type, int *Value) {
  if (!Value)
    return CUFFT_INVALID_VALUE;
  switch (Type) {
  case MAJOR_VERSION:
    *Value = CUFFT_VER_MAJOR;
    return CUFFT_SUCCESS;
  case MINOR_VERSION:
    *Value = CUFFT_VER_MINOR;
    return CUFFT_SUCCESS;
  case PATCH_LEVEL:
    *Value = CUFFT_VER_PATCH;
    return CUFFT_SUCCESS;
  }
  return CUFFT_INVALID_TYPE;
}

} // extern "C"
