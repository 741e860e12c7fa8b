//===- DnnConvolutionTest.cpp - Convolutions and poolings -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Padding, strides, dilations, groups, layouts, modes, blending and fused
// activations, against loops by the definition.
//
//===----------------------------------------------------------------------===//
#include "Dnn.h"

#include <cmath>

namespace {
struct Case {
  Layout X, Filter;
  int Pad, Stride, Dilation, Groups;
  cudnnConvolutionMode_t Mode;
};
} // namespace

static std::vector<float> convolve(const Case &T, const Layout &Y,
                                   const std::vector<float> &X,
                                   const std::vector<float> &F) {
  std::vector<float> Out(Y.size());
  const int PerGroup = T.Filter.N / T.Groups;
  for (int n = 0; n != Y.N; ++n)
    for (int k = 0; k != Y.C; ++k)
      for (int h = 0; h != Y.H; ++h)
        for (int w = 0; w != Y.W; ++w) {
          float Sum = 0;
          for (int c = 0; c != T.Filter.C; ++c)
            for (int i = 0; i != T.Filter.H; ++i)
              for (int j = 0; j != T.Filter.W; ++j) {
                int R = h * T.Stride - T.Pad + i * T.Dilation;
                int S = w * T.Stride - T.Pad + j * T.Dilation;
                bool Flip = T.Mode == CUDNN_CONVOLUTION;
                if (R >= 0 && R < T.X.H && S >= 0 && S < T.X.W)
                  Sum += X[T.X.at(n, k / PerGroup * T.Filter.C + c, R, S)] *
                         F[T.Filter.at(k, c, Flip ? T.Filter.H - 1 - i : i,
                                       Flip ? T.Filter.W - 1 - j : j)];
              }
          Out[Y.at(n, k, h, w)] = Sum;
        }
  return Out;
}

TEST_CASE("convolutions") {
  const auto Cross = CUDNN_CROSS_CORRELATION;
  const Case Cases[] = {
      {{2, 3, 7, 8}, {4, 3, 3, 3}, 1, 1, 1, 1, Cross},
      {{1, 3, 9, 9}, {5, 3, 5, 3}, 2, 2, 1, 1, Cross},
      {{1, 4, 11, 11}, {6, 4, 3, 3}, 2, 1, 2, 1, Cross},
      {{1, 4, 13, 9}, {4, 4, 3, 3}, 4, 1, 4, 1, Cross},
      {{2, 6, 6, 6}, {4, 3, 3, 3}, 1, 1, 1, 2, Cross},
      {{1, 8, 5, 5}, {8, 1, 3, 3}, 1, 2, 1, 8, Cross},
      {{2, 16, 4, 4}, {8, 16, 1, 1}, 0, 1, 1, 1, Cross},
      {{1, 3, 7, 7}, {4, 3, 3, 2}, 1, 1, 1, 1, CUDNN_CONVOLUTION},
      {{2, 3, 7, 8, true}, {4, 3, 3, 3, true}, 1, 2, 1, 1, Cross},
      {{1, 3, 7, 7, true}, {4, 3, 3, 2, true}, 1, 1, 1, 1, CUDNN_CONVOLUTION},
  };
  DnnHandle H;
  for (const Case &T : Cases) {
    INFO("case " << &T - Cases);
    TensorDescriptor XD, YD, BiasD;
    FilterDescriptor FD;
    ConvolutionDescriptor CD;
    T.X.describe(XD);
    T.Filter.describe(FD);
    CHECK_DNN(cudnnSetConvolution2dDescriptor(CD, T.Pad, T.Pad, T.Stride,
                                              T.Stride, T.Dilation, T.Dilation,
                                              T.Mode, CUDNN_DATA_FLOAT));
    CHECK_DNN(cudnnSetConvolutionGroupCount(CD, T.Groups));
    Layout Y{0, 0, 0, 0, T.X.ChannelsLast};
    REQUIRE(cudnnGetConvolution2dForwardOutputDim(
                CD, XD, FD, &Y.N, &Y.C, &Y.H, &Y.W) == CUDNN_STATUS_SUCCESS);
    Y.describe(YD);
    DeviceArray<float> X(T.X.size()), F(T.Filter.size()), Out(Y.size()),
        Z(Y.size()), Bias(Y.C);
    std::vector<float> Plain = convolve(T, Y, X.read(), F.read());

    cudnnConvolutionFwdAlgoPerf_t Perf[4];
    int Count = 0;
    CHECK_DNN(cudnnGetConvolutionForwardAlgorithm_v7(H, XD, FD, CD, YD, 4,
                                                     &Count, Perf));
    REQUIRE(Count == 2);
    for (int I = 0; I != Count; ++I) {
      auto Algorithm = Perf[I].algo;
      size_t Size;
      CHECK_DNN(cudnnGetConvolutionForwardWorkspaceSize(H, XD, FD, CD, YD,
                                                        Algorithm, &Size));
      CHECK(Size == Perf[I].memory);
      DeviceArray<char> Work(Size + 1);
      float One = 1, Zero = 0, Two = 2, Minus = -1;
      CHECK_DNN(cudnnConvolutionForward(H, &One, XD, X, FD, F, CD, Algorithm,
                                        Work, Size, &Zero, YD, Out));
      checkClose(Out.read(), Plain, 1e-4);
      CHECK_DNN(cudnnConvolutionForward(H, &Two, XD, X, FD, F, CD, Algorithm,
                                        Work, Size, &Minus, YD, Out));
      checkClose(Out.read(), Plain, 1e-4);

      Layout{1, Y.C, 1, 1}.describe(BiasD);
      ActivationDescriptor Relu;
      CHECK_DNN(cudnnSetActivationDescriptor(Relu, CUDNN_ACTIVATION_RELU,
                                             CUDNN_NOT_PROPAGATE_NAN, 0));
      std::vector<float> BiasV = Bias.read(), ZV = Z.read(), Want(Y.size());
      for (int n = 0; n != Y.N; ++n)
        for (int k = 0; k != Y.C; ++k)
          for (int h = 0; h != Y.H; ++h)
            for (int w = 0; w != Y.W; ++w) {
              size_t At = Y.at(n, k, h, w);
              Want[At] = std::max(0.0f, 2 * Plain[At] - ZV[At] + BiasV[k]);
            }
      CHECK_DNN(cudnnConvolutionBiasActivationForward(
          H, &Two, XD, X, FD, F, CD, Algorithm, Work, Size, &Minus, YD, Z,
          BiasD, Bias, Relu, YD, Out));
      checkClose(Out.read(), Want, 1e-4);
      // The summand may be the result.
      Out.write(ZV);
      CHECK_DNN(cudnnConvolutionBiasActivationForward(
          H, &Two, XD, X, FD, F, CD, Algorithm, Work, Size, &Minus, YD, Out,
          BiasD, Bias, Relu, YD, Out));
      checkClose(Out.read(), Want, 1e-4);
    }
  }
}

TEST_CASE("poolings") {
  DnnHandle H;
  const cudnnPoolingMode_t Modes[] = {
      CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
      CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
      CUDNN_POOLING_MAX_DETERMINISTIC};
  for (cudnnPoolingMode_t Mode : Modes)
    for (bool ChannelsLast : {false, true}) {
      Layout X{2, 3, 8, 7, ChannelsLast}, Y{0, 0, 0, 0, ChannelsLast};
      TensorDescriptor XD, YD;
      PoolingDescriptor PD;
      X.describe(XD);
      CHECK_DNN(cudnnSetPooling2dDescriptor(PD, Mode, CUDNN_NOT_PROPAGATE_NAN,
                                            3, 3, 1, 1, 2, 2));
      REQUIRE(cudnnGetPooling2dForwardOutputDim(PD, XD, &Y.N, &Y.C, &Y.H,
                                                &Y.W) == CUDNN_STATUS_SUCCESS);
      CHECK(Y.H == 4);
      CHECK(Y.W == 4);
      Y.describe(YD);
      DeviceArray<float> In(X.size()), Out(Y.size());
      std::vector<float> V = In.read(), Want = Out.read();
      for (int n = 0; n != Y.N; ++n)
        for (int c = 0; c != Y.C; ++c)
          for (int h = 0; h != Y.H; ++h)
            for (int w = 0; w != Y.W; ++w) {
              float Largest = -INFINITY, Sum = 0;
              int Inside = 0;
              for (int R = 2 * h - 1; R != 2 * h + 2; ++R)
                for (int S = 2 * w - 1; S != 2 * w + 2; ++S)
                  if (R >= 0 && R < X.H && S >= 0 && S < X.W) {
                    float E = V[X.at(n, c, R, S)];
                    Largest = std::max(Largest, E);
                    Sum += E;
                    ++Inside;
                  }
              float Result = Largest;
              if (Mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING)
                Result = Sum / 9;
              if (Mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING)
                Result = Sum / Inside;
              float &To = Want[Y.at(n, c, h, w)];
              To = 2 * Result - To;
            }
      float Two = 2, Minus = -1, One = 1, Zero = 0;
      CHECK_DNN(cudnnPoolingForward(H, PD, &Two, XD, In, &Minus, YD, Out));
      checkClose(Out.read(), Want, 1e-5);
      DeviceArray<float> Again(Y.size());
      CHECK_DNN(cudnnPoolingForward(H, PD, &One, XD, In, &Zero, YD, Again));
      CHECK_DNN(cudnnPoolingForward(H, PD, &One, XD, In, &Zero, YD, Out));
      checkClose(Out.read(), Again.read());
    }
}

TEST_CASE("what convolutions refuse") {
  DnnHandle H;
  TensorDescriptor XD, YD;
  FilterDescriptor FD;
  ConvolutionDescriptor CD;
  Layout{1, 4, 8, 8}.describe(XD);
  Layout{1, 4, 8, 8}.describe(YD);
  Layout{4, 4, 3, 3}.describe(FD);
  CHECK(cudnnSetConvolution2dDescriptor(
            CD, -1, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT) ==
        CUDNN_STATUS_BAD_PARAM);
  CHECK_DNN(cudnnSetConvolution2dDescriptor(
      CD, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  size_t Size;
  const auto Algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  // The result would be 6 x 6.
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(
            H, XD, FD, CD, YD, Algorithm, &Size) == CUDNN_STATUS_BAD_PARAM);
  Layout{4, 3, 3, 3}.describe(FD);
  int N, C, Height, W;
  CHECK(cudnnGetConvolution2dForwardOutputDim(CD, XD, FD, &N, &C, &Height,
                                              &W) == CUDNN_STATUS_BAD_PARAM);
  Layout{4, 4, 3, 3}.describe(FD);
  Layout{1, 4, 6, 6}.describe(YD);
  CHECK_DNN(cudnnGetConvolutionForwardWorkspaceSize(H, XD, FD, CD, YD,
                                                    Algorithm, &Size));
  CHECK(Size == 0);
  CHECK_DNN(cudnnSetTensor4dDescriptor(XD, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE,
                                       1, 4, 8, 8));
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(
            H, XD, FD, CD, YD, Algorithm, &Size) == CUDNN_STATUS_NOT_SUPPORTED);
}
