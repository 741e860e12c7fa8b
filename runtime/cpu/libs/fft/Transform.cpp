//===- Transform.cpp - Plans of FFTW --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates cuFFT's layouts into FFTW's. A layout that the program did not
// give is contiguous; of a real transform in place, the real side's rows are
// padded to the length of the complex ones, as cuFFT's are.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/common/Accesses.h"
#include "runtime/cpu/libs/common/Work.h"
#include "runtime/cpu/libs/fft/Plan.h"

#include <fftw3.h>
#include <mutex>

namespace echo::cpulibs {

/// Making and destroying plans, and the number of threads, are FFTW's globals.
static std::mutex &plannerMutex() {
  static auto *M = new std::mutex;
  return *M;
}

/// Distance between neighbours along dimension \p D of one side.
static long long strideAlong(const long long *Embed, long long Stride, int Rank,
                             int D) {
  for (int I = Rank - 1; I > D; --I)
    Stride *= Embed[I];
  return Stride;
}

/// The layout of one side, filled in where the program gave none.
static Layout complete(Layout L, const Shape &S, bool HalfComplex,
                       bool PaddedReal) {
  if (L.Given)
    return L;
  const int Last = S.Rank - 1;
  L.Stride = L.Distance = 1;
  for (int I = 0; I != S.Rank; ++I)
    L.Embed[I] = S.Size[I];
  if (HalfComplex)
    L.Embed[Last] = S.Size[Last] / 2 + 1;
  else if (PaddedReal)
    L.Embed[Last] = 2 * (S.Size[Last] / 2 + 1);
  for (int I = 0; I != S.Rank; ++I)
    L.Distance *= L.Embed[I];
  return L;
}

size_t workBytes(const Shape &S) {
  size_t Elements = S.Batch;
  for (int I = 0; I != S.Rank; ++I)
    Elements *= S.Size[I];
  return Elements *
         (S.isDouble() ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex));
}

namespace {
/// Dimensions of a transform as FFTW takes them.
struct Dimensions {
  fftw_iodim64 Dims[3];
  fftw_iodim64 Batch;
};

/// FFTW for one precision.
template <typename T> struct Fftw;
#define FFTW(Real, p)                                                          \
  template <> struct Fftw<Real> {                                              \
    using Plan = p##_plan;                                                     \
    using Complex = p##_complex;                                               \
    static bool start() {                                                      \
      static bool Ready =                                                      \
          p##_init_threads() != 0 && (p##_make_planner_thread_safe(), true);   \
      return Ready;                                                            \
    }                                                                          \
    static Plan make(const Shape &S, const Dimensions &D, void *In, void *Out, \
                     int Direction) {                                          \
      const auto *Dims = reinterpret_cast<const p##_iodim64 *>(D.Dims);        \
      const auto *Batch = reinterpret_cast<const p##_iodim64 *>(&D.Batch);     \
      const unsigned Flags = FFTW_ESTIMATE | FFTW_UNALIGNED;                   \
      if (S.fromReal())                                                        \
        return p##_plan_guru64_dft_r2c(S.Rank, Dims, 1, Batch,                 \
                                       static_cast<Real *>(In),                \
                                       static_cast<Complex *>(Out), Flags);    \
      if (S.toReal())                                                          \
        return p##_plan_guru64_dft_c2r(S.Rank, Dims, 1, Batch,                 \
                                       static_cast<Complex *>(In),             \
                                       static_cast<Real *>(Out), Flags);       \
      return p##_plan_guru64_dft(                                              \
          S.Rank, Dims, 1, Batch, static_cast<Complex *>(In),                  \
          static_cast<Complex *>(Out),                                         \
          Direction == CUFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, Flags);   \
    }                                                                          \
    static void run(const Shape &S, Plan P, void *In, void *Out) {             \
      if (S.fromReal())                                                        \
        p##_execute_dft_r2c(P, static_cast<Real *>(In),                        \
                            static_cast<Complex *>(Out));                      \
      else if (S.toReal())                                                     \
        p##_execute_dft_c2r(P, static_cast<Complex *>(In),                     \
                            static_cast<Real *>(Out));                         \
      else                                                                     \
        p##_execute_dft(P, static_cast<Complex *>(In),                         \
                        static_cast<Complex *>(Out));                          \
    }                                                                          \
    static void destroy(Plan P) { p##_destroy_plan(P); }                       \
    static int threads() { return p##_planner_nthreads(); }                    \
    static void setThreads(int N) { p##_plan_with_nthreads(N); }               \
  };
FFTW(float, fftwf)
FFTW(double, fftw)

/// Says the accesses of one side: of \p Last elements along the last dimension,
/// with \p Strides and \p Distance between batches, all in elements of \p Size.
static void noteSide(Does What, const void *At, const Shape &S, long long Last,
                     const long long *Strides, long long Distance,
                     size_t Size) {
  const int Inner = S.Rank - 1;
  const auto *Base = static_cast<const char *>(At);
  for (long long B = 0; B != S.Batch; ++B)
    for (long long I = 0; I != (S.Rank > 2 ? S.Size[S.Rank - 3] : 1); ++I)
      for (long long J = 0; J != (S.Rank > 1 ? S.Size[S.Rank - 2] : 1); ++J) {
        long long Offset = B * Distance;
        if (S.Rank > 2)
          Offset += I * Strides[S.Rank - 3];
        if (S.Rank > 1)
          Offset += J * Strides[S.Rank - 2];
        const char *Row = Base + Offset * static_cast<long long>(Size);
        if (Strides[Inner] == 1)
          note(What, Row, Last * Size);
        else
          noteRows(What, Row, Size, Strides[Inner] * Size, Last);
      }
}

template <typename Real> class FftwTransform final : public Transform {
public:
  FftwTransform(const Shape &S, const Dimensions &D,
                typename Fftw<Real>::Plan P)
      : S(S), D(D), P(P) {}
  ~FftwTransform() override {
    std::lock_guard<std::mutex> Guard(plannerMutex());
    Fftw<Real>::destroy(P);
  }
  void run(void *In, void *Out) const override {
    if (echo_cpu_notes_accesses())
      noteAccesses(In, Out);
    Fftw<Real>::run(S, P, In, Out);
  }

private:
  void noteAccesses(const void *In, const void *Out) const {
    const long long Whole = S.Size[S.Rank - 1], Half = Whole / 2 + 1;
    long long From[3], To[3];
    for (int K = 0; K != S.Rank; ++K) {
      From[K] = D.Dims[K].is;
      To[K] = D.Dims[K].os;
    }
    noteSide(Does::Read, In, S, S.toReal() ? Half : Whole, From, D.Batch.is,
             S.fromReal() ? sizeof(Real) : 2 * sizeof(Real));
    // FFTW and cuFFT use the input of such a transform as their own.
    if (S.toReal() && S.Rank > 1 && In != Out)
      noteSide(Does::Write, In, S, Half, From, D.Batch.is, 2 * sizeof(Real));
    noteSide(Does::Write, Out, S, S.fromReal() ? Half : Whole, To, D.Batch.os,
             S.toReal() ? sizeof(Real) : 2 * sizeof(Real));
  }

  const Shape S;
  const Dimensions D;
  typename Fftw<Real>::Plan P;
};
} // namespace

template <typename Real>
static std::shared_ptr<const Transform> makeFor(const Shape &S,
                                                const Dimensions &D, void *In,
                                                void *Out, int Direction) {
  typename Fftw<Real>::Plan P;
  {
    std::lock_guard<std::mutex> Guard(plannerMutex());
    if (!Fftw<Real>::start())
      return nullptr;
    // The program's own plans keep their number of threads.
    int Before = Fftw<Real>::threads();
    Fftw<Real>::setThreads(int(echo_cpu_library_threads()));
    P = Fftw<Real>::make(S, D, In, Out, Direction);
    Fftw<Real>::setThreads(Before);
  }
  if (!P)
    return nullptr;
  return std::make_shared<FftwTransform<Real>>(S, D, P);
}

std::shared_ptr<const Transform> makeTransform(const Shape &S, void *In,
                                               void *Out, int Direction) {
  const bool InPlace = In == Out;
  Layout I = complete(S.In, S, S.toReal(), S.fromReal() && InPlace);
  Layout O = complete(S.Out, S, S.fromReal(), S.toReal() && InPlace);
  Dimensions D{};
  for (int K = 0; K != S.Rank; ++K)
    D.Dims[K] = {S.Size[K], strideAlong(I.Embed, I.Stride, S.Rank, K),
                 strideAlong(O.Embed, O.Stride, S.Rank, K)};
  D.Batch = {S.Batch, I.Distance, O.Distance};
  return S.isDouble() ? makeFor<double>(S, D, In, Out, Direction)
                      : makeFor<float>(S, D, In, Out, Direction);
}

} // namespace echo::cpulibs
