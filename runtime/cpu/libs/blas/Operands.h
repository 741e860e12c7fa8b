//===- Operands.h - What BLAS accesses of vectors and matrices --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says the accesses of one operand (Accesses.h), element by element where they
// are apart. A factor of zero stands before what is not read.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_BLAS_OPERANDS_H
#define ECHO_RUNTIME_CPU_LIBS_BLAS_OPERANDS_H

#include "runtime/cpu/libs/blas/Handle.h"
#include "runtime/cpu/libs/common/Accesses.h"

#include <cstdlib>

namespace echo::cpulibs {

/// A vector of \p N elements, whose first in memory is at \p X.
template <typename T> void noteVector(Does What, const T *X, int N, int Inc) {
  if (N <= 0)
    return;
  const size_t Step = size_t(std::abs(Inc)) * sizeof(T);
  if (Step == sizeof(T))
    return note(What, X, size_t(N) * sizeof(T));
  noteRows(What, X, sizeof(T), Step, Step ? N : 1);
}

template <typename T> void updateVector(const T *X, int N, int Inc) {
  noteVector(Does::Read, X, N, Inc);
  noteVector(Does::Write, X, N, Inc);
}

/// \p Cols columns of \p Rows elements of \p Size bytes each.
inline void noteMatrix(Does What, const void *A, size_t Size, int Rows,
                       int Cols, int Ld) {
  if (Rows <= 0 || Cols <= 0)
    return;
  if (Rows == Ld)
    return note(What, A, size_t(Rows) * Cols * Size);
  noteRows(What, A, size_t(Rows) * Size, size_t(Ld) * Size, Cols);
}

template <typename T>
void noteMatrix(Does What, const T *A, int Rows, int Cols, int Ld) {
  noteMatrix(What, A, sizeof(T), Rows, Cols, Ld);
}

template <typename T>
void updateMatrix(const T *A, int Rows, int Cols, int Ld) {
  noteMatrix(Does::Read, A, Rows, Cols, Ld);
  noteMatrix(Does::Write, A, Rows, Cols, Ld);
}

/// One triangle of a square matrix, with its diagonal unless it is \p Unit.
template <typename T>
void noteTriangle(Does What, cublasFillMode_t Fill, const T *A, int N, int Ld,
                  bool Unit = false) {
  if (!echo_cpu_notes_accesses())
    return;
  const bool Lower = Fill == CUBLAS_FILL_MODE_LOWER;
  for (int J = 0; J < N; ++J) {
    const int From = Lower ? J + Unit : 0, To = Lower ? N : J + !Unit;
    if (From < To)
      note(What, A + From + ptrdiff_t(J) * Ld, size_t(To - From) * sizeof(T));
  }
}

template <typename T>
void updateTriangle(cublasFillMode_t Fill, const T *A, int N, int Ld) {
  noteTriangle(Does::Read, Fill, A, N, Ld);
  noteTriangle(Does::Write, Fill, A, N, Ld);
}

/// What C = alpha ... + beta C does to C.
template <typename T>
void noteResult(bool ReadsOld, const T *C, int Rows, int Cols, int Ld) {
  if (ReadsOld)
    noteMatrix(Does::Read, C, Rows, Cols, Ld);
  noteMatrix(Does::Write, C, Rows, Cols, Ld);
}

/// What trsm and trmm do: \p C is the result, of a triangle \p A and \p B.
template <typename T>
void noteTriangular(cublasSideMode_t Side, cublasFillMode_t Fill,
                    cublasDiagType_t Diag, int M, int N, bool ReadsFactors,
                    const T *A, int LdA, const T *B, int LdB, const T *C,
                    int LdC) {
  if (M <= 0 || N <= 0)
    return;
  if (ReadsFactors) {
    noteTriangle(Does::Read, Fill, A, Side == CUBLAS_SIDE_LEFT ? M : N, LdA,
                 Diag == CUBLAS_DIAG_UNIT);
    noteMatrix(Does::Read, B, M, N, LdB);
  }
  noteMatrix(Does::Write, C, M, N, LdC);
}

/// C = alpha op(A) op(B) + beta C, of elements of \p SizeA and so on.
inline void noteProduct(cublasOperation_t TA, cublasOperation_t TB, int M,
                        int N, int K, bool ReadsFactors, const void *A,
                        size_t SizeA, int LdA, const void *B, size_t SizeB,
                        int LdB, bool ReadsOld, const void *C, size_t SizeC,
                        int LdC) {
  if (M <= 0 || N <= 0)
    return;
  if (ReadsFactors && K > 0) {
    const bool PlainA = TA == CUBLAS_OP_N, PlainB = TB == CUBLAS_OP_N;
    noteMatrix(Does::Read, A, SizeA, PlainA ? M : K, PlainA ? K : M, LdA);
    noteMatrix(Does::Read, B, SizeB, PlainB ? K : N, PlainB ? N : K, LdB);
  }
  if (ReadsOld)
    noteMatrix(Does::Read, C, SizeC, M, N, LdC);
  noteMatrix(Does::Write, C, SizeC, M, N, LdC);
}

} // namespace echo::cpulibs

#endif
