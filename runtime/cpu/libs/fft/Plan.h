//===- Plan.h - What a plan of cuFFT holds -------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: shape, layout and stream of a transform, and FFTW's plans for it.
// Those are made at the first execution, because in place and out of place are
// different plans to FFTW and one to cuFFT.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_FFT_PLAN_H
#define ECHO_RUNTIME_CPU_LIBS_FFT_PLAN_H

#include <cstddef>
#include <cufft.h>
#include <memory>

namespace echo::cpulibs {

/// Where the elements of a transform's input or output lie, in elements.
struct Layout {
  bool Given = false; ///< by the program; else contiguous
  long long Embed[3] = {};
  long long Stride = 1;
  long long Distance = 0;
};

struct Shape {
  int Rank = 0;
  long long Size[3] = {};
  long long Batch = 1;
  cufftType Type = CUFFT_C2C;
  Layout In, Out;

  bool isDouble() const {
    return Type == CUFFT_Z2Z || Type == CUFFT_D2Z || Type == CUFFT_Z2D;
  }
  bool fromReal() const { return Type == CUFFT_R2C || Type == CUFFT_D2Z; }
  bool toReal() const { return Type == CUFFT_C2R || Type == CUFFT_Z2D; }
};

/// The work area that cuFFT would need at most; nothing uses it here.
size_t workBytes(const Shape &S);

/// A transform that can be run on any memory.
class Transform {
public:
  virtual ~Transform() = default;
  virtual void run(void *In, void *Out) const = 0;
};

/// FFTW's plan for \p S; null if it makes none. \p In and \p Out are not
/// touched.
std::shared_ptr<const Transform> makeTransform(const Shape &S, void *In,
                                               void *Out, int Direction);

struct Plan {
  bool Made = false;
  cudaStream_t Stream = nullptr;
  Shape What;
  /// By in place or not, and direction.
  std::shared_ptr<const Transform> Ready[2][2];
};

/// The plan that \p Handle names, or null. The caller keeps it alive.
std::shared_ptr<Plan> findPlan(cufftHandle Handle);

} // namespace echo::cpulibs

#endif
