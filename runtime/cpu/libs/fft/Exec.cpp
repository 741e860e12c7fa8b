//===- Exec.cpp - Running transforms --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues a transform in its plan's stream. Results are not normalized, as
// cuFFT's are not.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/common/Accesses.h"
#include "runtime/cpu/libs/common/Work.h"
#include "runtime/cpu/libs/fft/Plan.h"

using namespace echo::cpulibs;

static cufftResult toResult(int CudaError) {
  if (CudaError == OutOfMemory)
    return CUFFT_ALLOC_FAILED;
  return CudaError ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

/// FFTW's plan for an execution of \p P, from the last one like it if there
/// was one.
static std::shared_ptr<const Transform> prepare(Plan &P, void *In, void *Out,
                                                int Direction) {
  auto &Ready = P.Ready[In == Out][Direction == CUFFT_FORWARD];
  if (!Ready)
    Ready = makeTransform(P.What, In, Out, Direction);
  return Ready;
}

[[gnu::always_inline]] static inline cufftResult execute(cufftHandle Handle,
                                                         cufftType Type,
                                                         void *In, void *Out,
                                                         int Direction) {
  std::shared_ptr<Plan> P = findPlan(Handle);
  if (!P || !P->Made)
    return CUFFT_INVALID_PLAN;
  if (P->What.Type != Type)
    return CUFFT_INVALID_TYPE;
  if (!In || !Out || (Direction != CUFFT_FORWARD && Direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  std::shared_ptr<const Transform> T = prepare(*P, In, Out, Direction);
  if (!T) {
    sayUnsupported("cufftExec", "this layout");
    return CUFFT_NOT_SUPPORTED;
  }
  return toResult(queueWork(P->Stream, false,
                            [T = std::move(T), In, Out] { T->run(In, Out); }));
}

extern "C" {

ECHO_FOLLOWED(cufftExecC2C)
cufftResult cufftExecC2C(cufftHandle Handle, cufftComplex *In,
                         cufftComplex *Out, int Direction) {
  return execute(Handle, CUFFT_C2C, In, Out, Direction);
}
ECHO_FOLLOWED(cufftExecZ2Z)
cufftResult cufftExecZ2Z(cufftHandle Handle, cufftDoubleComplex *In,
                         cufftDoubleComplex *Out, int Direction) {
  return execute(Handle, CUFFT_Z2Z, In, Out, Direction);
}
ECHO_FOLLOWED(cufftExecR2C)
cufftResult cufftExecR2C(cufftHandle Handle, cufftReal *In, cufftComplex *Out) {
  return execute(Handle, CUFFT_R2C, In, Out, CUFFT_FORWARD);
}
ECHO_FOLLOWED(cufftExecD2Z)
cufftResult cufftExecD2Z(cufftHandle Handle, cufftDoubleReal *In,
                         cufftDoubleComplex *Out) {
  return execute(Handle, CUFFT_D2Z, In, Out, CUFFT_FORWARD);
}
ECHO_FOLLOWED(cufftExecC2R)
cufftResult cufftExecC2R(cufftHandle Handle, cufftComplex *In, cufftReal *Out) {
  return execute(Handle, CUFFT_C2R, In, Out, CUFFT_INVERSE);
}
ECHO_FOLLOWED(cufftExecZ2D)
cufftResult cufftExecZ2D(cufftHandle Handle, cufftDoubleComplex *In,
                         cufftDoubleReal *Out) {
  return execute(Handle, CUFFT_Z2D, In, Out, CUFFT_INVERSE);
}

} // extern "C"
