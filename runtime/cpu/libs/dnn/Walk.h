//===- Walk.h - Element by element through tensors ------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits the elements of several tensors side by side, whatever their strides.
// A dimension of length one is repeated along the first tensor's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_DNN_WALK_H
#define ECHO_RUNTIME_CPU_LIBS_DNN_WALK_H

#include "runtime/cpu/libs/common/Accesses.h"
#include "runtime/cpu/libs/dnn/Descriptors.h"

namespace echo::cpulibs {

/// A tensor and where it lies.
struct Operand {
  const Tensor *Shape;
  float *Data;
};
inline Operand operand(const Tensor &T, const void *P) {
  return {&T, const_cast<float *>(static_cast<const float *>(P))};
}

/// Can \p T be repeated to the dimensions of \p Whole?
inline bool broadcasts(const Tensor &T, const Tensor &Whole) {
  if (T.Rank != Whole.Rank)
    return false;
  for (int I = 0; I != T.Rank; ++I)
    if (T.Dims[I] != Whole.Dims[I] && T.Dims[I] != 1)
      return false;
  return true;
}

template <size_t Count> struct Loops {
  int Rank = 0;
  int64_t Length[MaxDims] = {};
  int64_t Step[MaxDims][Count] = {};
};

/// The loops over \p Operands, with those joined that act as one.
template <size_t Count>
Loops<Count> makeLoops(const Operand (&Operands)[Count]) {
  const Tensor &Whole = *Operands[0].Shape;
  Loops<Count> L;
  for (int D = 0; D != Whole.Rank; ++D) {
    int64_t Step[Count];
    bool Joins = L.Rank > 0;
    for (size_t K = 0; K != Count; ++K) {
      const Tensor &T = *Operands[K].Shape;
      Step[K] = T.Dims[D] == 1 ? 0 : T.Strides[D];
      Joins = Joins && L.Step[L.Rank - 1][K] == Step[K] * Whole.Dims[D];
    }
    if (Whole.Dims[D] == 1)
      continue;
    if (Joins)
      L.Length[L.Rank - 1] *= Whole.Dims[D];
    else
      L.Length[L.Rank++] = Whole.Dims[D];
    for (size_t K = 0; K != Count; ++K)
      L.Step[L.Rank - 1][K] = Step[K];
  }
  return L;
}

template <size_t Count, typename Fn>
void walkFrom(const Loops<Count> &L, int D, float *const (&At)[Count],
              const Fn &Visit) {
  float *Here[Count];
  for (size_t K = 0; K != Count; ++K)
    Here[K] = At[K];
  if (D == L.Rank)
    return Visit(Here);
  for (int64_t I = 0; I != L.Length[D]; ++I) {
    if (D + 1 == L.Rank)
      Visit(Here);
    else
      walkFrom(L, D + 1, Here, Visit);
    for (size_t K = 0; K != Count; ++K)
      Here[K] += L.Step[D][K];
  }
}

/// Calls \p Visit with the addresses of each element.
template <size_t Count, typename Fn>
void walk(const Operand (&Operands)[Count], const Fn &Visit) {
  float *At[Count];
  for (size_t K = 0; K != Count; ++K)
    At[K] = Operands[K].Data;
  walkFrom(makeLoops(Operands), 0, At, Visit);
}

/// Says the accesses of all elements of \p T at \p P (common/Accesses.h). A
/// convolution or pooling counts as reading its input whole.
inline void noteTensor(Does What, const Tensor &T, const void *P) {
  if (!echo_cpu_notes_accesses())
    return;
  const Operand One[] = {operand(T, P)};
  Loops<1> L = makeLoops(One);
  int64_t Inner = 1;
  if (L.Rank && L.Step[L.Rank - 1][0] == 1)
    Inner = L.Length[--L.Rank];
  float *At[] = {One[0].Data};
  walkFrom(L, 0, At, [&](float **Here) {
    note(What, Here[0], static_cast<size_t>(Inner) * sizeof(float));
  });
}

/// What Y = alpha f(...) + beta Y does to Y.
inline void noteBlended(const Blend &B, const Tensor &T, const void *Y) {
  if (B.Beta != 0)
    noteTensor(Does::Read, T, Y);
  noteTensor(Does::Write, T, Y);
}

} // namespace echo::cpulibs

#endif
