//===- Convolution.cpp - Convolutions and poolings ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues oneDNN's primitives. Every algorithm of cuDNN's is the same one here.
// What is blended or activated goes through memory of its own first.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Onednn.h"
#include "runtime/cpu/libs/dnn/Walk.h"

#include <algorithm>

using namespace echo::cpulibs;

namespace {
/// Memory that oneDNN may be given: aligned, and maybe none.
struct Buffer {
  static constexpr size_t Align = 64;
  Scratch<char> Own;
  char *At = nullptr;
  bool take(size_t Bytes) {
    Own = makeScratch<char>(Bytes + Align);
    if (Own)
      use(Own.get());
    return At != nullptr;
  }
  void use(void *Memory) {
    auto Address = reinterpret_cast<uintptr_t>(Memory);
    At = static_cast<char *>(Memory) + (Align - Address % Align) % Align;
  }
};

/// One convolution, ready to run.
struct Convolution {
  std::shared_ptr<const Primitive> Core;
  Tensor X, Filter, Y;
  Tensor Middle; ///< the result as oneDNN gives it
  bool Flip = false;
};
} // namespace

static size_t bytes(const Tensor &T) { return T.count() * sizeof(float); }

/// The workspace that the program must bring for \p Algorithm: the implicit
/// one needs none.
static size_t workspace(const Convolution &C, int Algorithm) {
  if (Algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
      !C.Core->scratchBytes())
    return 0;
  return C.Core->scratchBytes() + Buffer::Align;
}

/// Checks the descriptors and makes the primitive, which writes Y itself if
/// \p Direct.
static cudnnStatus_t
prepare(const char *Function, cudnnHandle_t H, cudnnTensorDescriptor_t X,
        cudnnFilterDescriptor_t Filter, cudnnConvolutionDescriptor_t D,
        cudnnTensorDescriptor_t Y, bool Direct, Convolution &Out) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  int Dims[MaxSpatial + 2];
  if (!X || !Filter || !D || !Y || Y->T.Rank != D->W.Rank + 2 ||
      cudnnGetConvolutionNdForwardOutputDim(D, X, Filter, MaxSpatial + 2,
                                            Dims) != CUDNN_STATUS_SUCCESS ||
      !std::equal(Dims, Dims + Y->T.Rank, Y->T.Dims))
    return CUDNN_STATUS_BAD_PARAM;
  if (!X->T.isFloat() || !Filter->T.isFloat() || !Y->T.isFloat())
    return unsupported(Function, "a tensor that is not CUDNN_DATA_FLOAT");
  Out.X = X->T;
  Out.Filter = Filter->T;
  Out.Y = Out.Middle = Y->T;
  if (!Direct)
    packStrides(Out.Middle, Y->T.Strides[1] == 1);
  Out.Flip = D->Mode == CUDNN_CONVOLUTION;
  Out.Core = makeConvolution(Out.X, Out.Filter, D->W, D->Groups, Out.Middle);
  return Out.Core ? CUDNN_STATUS_SUCCESS
                  : unsupported(Function, "this convolution, by oneDNN");
}

/// A convolution reads its filter backwards.
static void flip(const Tensor &Filter, const float *From, float *To) {
  int64_t Taps = 1;
  for (int I = 2; I != Filter.Rank; ++I)
    Taps *= Filter.Dims[I];
  const bool ChannelsLast = Filter.Strides[1] == 1 && Taps > 1;
  const int64_t Inner = ChannelsLast ? Filter.Dims[1] : 1;
  const int64_t Blocks = Filter.count() / (Taps * Inner);
  for (int64_t B = 0; B != Blocks; ++B)
    for (int64_t T = 0; T != Taps; ++T)
      std::copy_n(From + (B * Taps + T) * Inner, Inner,
                  To + (B * Taps + Taps - 1 - T) * Inner);
}

/// Says what all convolutions access beside their result.
static void noteInputs(const Convolution &C, const void *X, const void *Filter,
                       const void *Workspace, size_t WorkspaceSize) {
  noteTensor(Does::Read, C.X, X);
  noteTensor(Does::Read, C.Filter, Filter);
  note(Does::Write, Workspace, Workspace ? WorkspaceSize : 0);
}

namespace {
/// What a convolution runs on.
struct Memory {
  Buffer Work, Flipped, Middle;
};
} // namespace

/// Takes what \p C needs of the program's workspace or of its own.
static cudnnStatus_t takeMemory(const Convolution &C, int Algorithm,
                                void *Workspace, size_t Size, bool Direct,
                                Memory &M) {
  const size_t Needed = workspace(C, Algorithm);
  if (Needed && (!Workspace || Size < Needed))
    return CUDNN_STATUS_BAD_PARAM;
  if (Needed)
    M.Work.use(Workspace);
  else if (!M.Work.take(C.Core->scratchBytes()))
    return CUDNN_STATUS_ALLOC_FAILED;
  if ((C.Flip && !M.Flipped.take(bytes(C.Filter))) ||
      (!Direct && !M.Middle.take(bytes(C.Middle))))
    return CUDNN_STATUS_ALLOC_FAILED;
  return CUDNN_STATUS_SUCCESS;
}

/// Runs the convolution; gives where its result lies.
static float *run(const Convolution &C, const Memory &M, const void *X,
                  const void *Filter, void *Y) {
  if (C.Flip) {
    auto *To = reinterpret_cast<float *>(M.Flipped.At);
    flip(C.Filter, static_cast<const float *>(Filter), To);
    Filter = To;
  }
  void *To = M.Middle.At ? M.Middle.At : Y;
  C.Core->run(X, Filter, To, M.Work.At);
  return static_cast<float *>(To);
}

static bool isAlgorithm(cudnnConvolutionFwdAlgo_t Algorithm) {
  return unsigned(Algorithm) < unsigned(CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
}

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t H, cudnnTensorDescriptor_t X, cudnnFilterDescriptor_t Filter,
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t Y,
    cudnnConvolutionFwdAlgo_t Algorithm, size_t *Size) {
  if (!Size || !isAlgorithm(Algorithm))
    return CUDNN_STATUS_BAD_PARAM;
  // A result that is blended is packed; either may need more.
  Convolution Direct, Packed;
  const char *Function = "cudnnGetConvolutionForwardWorkspaceSize";
  cudnnStatus_t Status = prepare(Function, H, X, Filter, D, Y, true, Direct);
  if (Status == CUDNN_STATUS_SUCCESS)
    Status = prepare(Function, H, X, Filter, D, Y, false, Packed);
  if (Status == CUDNN_STATUS_SUCCESS)
    *Size =
        std::max(workspace(Direct, Algorithm), workspace(Packed, Algorithm));
  return Status;
}

ECHO_FOLLOWED(cudnnConvolutionForward)
cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t H, const void *Alpha, cudnnTensorDescriptor_t XDesc,
    const void *X, cudnnFilterDescriptor_t FilterDesc, const void *Filter,
    cudnnConvolutionDescriptor_t D, cudnnConvolutionFwdAlgo_t Algorithm,
    void *Workspace, size_t WorkspaceSize, const void *Beta,
    cudnnTensorDescriptor_t YDesc, void *Y) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  if (!Alpha || !Beta || !X || !Filter || !Y || !isAlgorithm(Algorithm))
    return CUDNN_STATUS_BAD_PARAM;
  const Blend B = readBlend(Alpha, Beta);
  Convolution C;
  cudnnStatus_t Status = prepare("cudnnConvolutionForward", H, XDesc,
                                 FilterDesc, D, YDesc, B.isPlain(), C);
  Memory M;
  if (Status == CUDNN_STATUS_SUCCESS)
    Status = takeMemory(C, Algorithm, Workspace, WorkspaceSize, B.isPlain(), M);
  if (Status != CUDNN_STATUS_SUCCESS)
    return Status;
  return enqueue(H, [=, C = std::move(C), M = std::move(M)] {
    noteInputs(C, X, Filter, Workspace, WorkspaceSize);
    noteBlended(B, C.Y, Y);
    float *Result = run(C, M, X, Filter, Y);
    if (!B.isPlain())
      walk({operand(C.Y, Y), operand(C.Middle, Result)},
           [&](float **P) { *P[0] = B(*P[1], *P[0]); });
  });
}

ECHO_FOLLOWED(cudnnConvolutionBiasActivationForward)
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t H, const void *Alpha1, cudnnTensorDescriptor_t XDesc,
    const void *X, cudnnFilterDescriptor_t FilterDesc, const void *Filter,
    cudnnConvolutionDescriptor_t D, cudnnConvolutionFwdAlgo_t Algorithm,
    void *Workspace, size_t WorkspaceSize, const void *Alpha2,
    cudnnTensorDescriptor_t ZDesc, const void *Z,
    cudnnTensorDescriptor_t BiasDesc, const void *Bias,
    cudnnActivationDescriptor_t Activation, cudnnTensorDescriptor_t YDesc,
    void *Y) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  if (!Alpha1 || !Alpha2 || !X || !Filter || !Z || !Bias || !Y || !ZDesc ||
      !BiasDesc || !Activation || !YDesc || !isAlgorithm(Algorithm))
    return CUDNN_STATUS_BAD_PARAM;
  const char *Function = "cudnnConvolutionBiasActivationForward";
  if (Activation->Mode != CUDNN_ACTIVATION_RELU &&
      Activation->Mode != CUDNN_ACTIVATION_IDENTITY)
    return unsupported(Function, "this activation");
  const Tensor ZT = ZDesc->T, BiasT = BiasDesc->T;
  if (!ZT.sameDims(YDesc->T) || !broadcasts(BiasT, YDesc->T))
    return CUDNN_STATUS_BAD_PARAM;
  if (!ZT.isFloat() || !BiasT.isFloat())
    return unsupported(Function, "a tensor that is not CUDNN_DATA_FLOAT");
  // Z may be Y, which the convolution must not overwrite then.
  const float Scale = *static_cast<const float *>(Alpha1);
  const float ScaleZ = *static_cast<const float *>(Alpha2);
  const bool Direct = ScaleZ == 0 || Z != Y;
  Convolution C;
  cudnnStatus_t Status =
      prepare(Function, H, XDesc, FilterDesc, D, YDesc, Direct, C);
  Memory M;
  if (Status == CUDNN_STATUS_SUCCESS)
    Status = takeMemory(C, Algorithm, Workspace, WorkspaceSize, Direct, M);
  if (Status != CUDNN_STATUS_SUCCESS)
    return Status;
  return enqueue(H, [=, C = std::move(C), M = std::move(M), A = *Activation] {
    noteInputs(C, X, Filter, Workspace, WorkspaceSize);
    noteTensor(Does::Read, BiasT, Bias);
    if (ScaleZ != 0)
      noteTensor(Does::Read, ZT, Z);
    noteTensor(Does::Write, C.Y, Y);
    float *Result = run(C, M, X, Filter, Y);
    walk({operand(C.Y, Y), operand(C.Middle, Result), operand(BiasT, Bias),
          operand(ZT, Z)},
         [&](float **P) {
           float Sum = Scale * *P[1] + *P[2];
           if (ScaleZ != 0)
             Sum += ScaleZ * *P[3];
           *P[0] = activate(A, Sum);
         });
  });
}

ECHO_FOLLOWED(cudnnPoolingForward)
cudnnStatus_t cudnnPoolingForward(cudnnHandle_t H, cudnnPoolingDescriptor_t D,
                                  const void *Alpha,
                                  cudnnTensorDescriptor_t XDesc, const void *X,
                                  const void *Beta,
                                  cudnnTensorDescriptor_t YDesc, void *Y) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  int Dims[MaxSpatial + 2];
  if (!D || !Alpha || !Beta || !XDesc || !X || !YDesc || !Y ||
      cudnnGetPoolingNdForwardOutputDim(D, XDesc, D->W.Rank + 2, Dims) !=
          CUDNN_STATUS_SUCCESS ||
      YDesc->T.Rank != D->W.Rank + 2 ||
      !std::equal(Dims, Dims + YDesc->T.Rank, YDesc->T.Dims))
    return CUDNN_STATUS_BAD_PARAM;
  if (!XDesc->T.isFloat() || !YDesc->T.isFloat())
    return unsupported("cudnnPoolingForward",
                       "a tensor that is not CUDNN_DATA_FLOAT");
  const Blend B = readBlend(Alpha, Beta);
  const Tensor XT = XDesc->T, YT = YDesc->T;
  Tensor Middle = YT;
  if (!B.isPlain())
    packStrides(Middle, YT.Strides[1] == 1);
  std::shared_ptr<const Primitive> Core =
      makePooling(XDesc->T, D->W, D->Mode, Middle);
  if (!Core)
    return unsupported("cudnnPoolingForward", "this pooling, by oneDNN");
  Buffer Work, Result;
  if (!Work.take(Core->scratchBytes()) ||
      (!B.isPlain() && !Result.take(bytes(Middle))))
    return CUDNN_STATUS_ALLOC_FAILED;
  return enqueue(H, [=, Work = std::move(Work), Result = std::move(Result)] {
    noteTensor(Does::Read, XT, X);
    noteBlended(B, YT, Y);
    void *To = Result.At ? Result.At : Y;
    Core->run(X, nullptr, To, Work.At);
    if (!B.isPlain())
      walk({operand(YT, Y), operand(Middle, To)},
           [&](float **P) { *P[0] = B(*P[1], *P[0]); });
  });
}

} // extern "C"
