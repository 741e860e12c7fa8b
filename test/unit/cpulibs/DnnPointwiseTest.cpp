//===- DnnPointwiseTest.cpp - Element by element --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, activations, layouts, normalization and softmax; streams and
// descriptors.
//
//===----------------------------------------------------------------------===//
#include "Dnn.h"

#include <atomic>
#include <cmath>
#include <thread>

static const float One = 1, Two = 2, Minus = -1, Zero = 0;

TEST_CASE("tensors are added and combined, repeated where they are short") {
  DnnHandle H;
  const Layout Whole{2, 3, 4, 5},
      Shapes[] = {{1, 3, 1, 1}, {2, 3, 4, 5}, {1, 1, 1, 5}};
  TensorDescriptor CD, AD;
  Whole.describe(CD);
  for (const Layout &A : Shapes) {
    A.describe(AD);
    DeviceArray<float> C(Whole.size()), Short(A.size()), Long(Whole.size());
    auto Each = [&](auto Fn) {
      std::vector<float> Want = C.read(), S = Short.read(), L = Long.read();
      for (int n = 0; n != 2; ++n)
        for (int c = 0; c != 3; ++c)
          for (int h = 0; h != 4; ++h)
            for (int w = 0; w != 5; ++w) {
              float &To = Want[Whole.at(n, c, h, w)];
              To = Fn(To, L[Whole.at(n, c, h, w)],
                      S[A.at(n % A.N, c % A.C, h % A.H, w % A.W)]);
            }
      return Want;
    };
    auto Want = Each([](float C, float, float S) { return 2 * S - C; });
    CHECK_DNN(cudnnAddTensor(H, &Two, AD, Short, &Minus, CD, C));
    checkClose(C.read(), Want);

    OpTensorDescriptor Op;
    auto Combine = [&](cudnnOpTensorOp_t What) {
      CHECK_DNN(cudnnSetOpTensorDescriptor(Op, What, CUDNN_DATA_FLOAT,
                                           CUDNN_NOT_PROPAGATE_NAN));
      CHECK_DNN(
          cudnnOpTensor(H, Op, &Two, CD, Long, &Minus, AD, Short, &One, CD, C));
    };
    Want = Each([](float C, float L, float S) { return C + 2 * L - S; });
    Combine(CUDNN_OP_TENSOR_ADD);
    checkClose(C.read(), Want);
    Want = Each([](float C, float L, float S) { return C - 2 * L * S; });
    Combine(CUDNN_OP_TENSOR_MUL);
    checkClose(C.read(), Want);
    Want = Each([](float C, float L, float S) { return C + fmax(2 * L, -S); });
    Combine(CUDNN_OP_TENSOR_MAX);
    checkClose(C.read(), Want);
  }
  Layout{1, 2, 1, 1}.describe(AD);
  DeviceArray<float> C(Whole.size());
  CHECK(cudnnAddTensor(H, &One, AD, C, &One, CD, C) == CUDNN_STATUS_BAD_PARAM);
}

TEST_CASE("tensors are set, scaled and moved between layouts") {
  DnnHandle H;
  const Layout Planar{2, 3, 4, 5}, Last{2, 3, 4, 5, true};
  TensorDescriptor PD, LD;
  Planar.describe(PD);
  Last.describe(LD);
  DeviceArray<float> P(Planar.size()), L(Planar.size());
  std::vector<float> PV = P.read(), Want(Planar.size());
  for (int n = 0; n != 2; ++n)
    for (int c = 0; c != 3; ++c)
      for (int h = 0; h != 4; ++h)
        for (int w = 0; w != 5; ++w)
          Want[Last.at(n, c, h, w)] = 2 * PV[Planar.at(n, c, h, w)];
  CHECK_DNN(cudnnTransformTensor(H, &Two, PD, P, &Zero, LD, L));
  checkClose(L.read(), Want);
  for (float &X : Want)
    X *= -1;
  CHECK_DNN(cudnnScaleTensor(H, LD, L, &Minus));
  checkClose(L.read(), Want);
  CHECK_DNN(cudnnSetTensor(H, LD, L, &Two));
  checkClose(L.read(), std::vector<float>(Planar.size(), 2));
}

TEST_CASE("activations") {
  DnnHandle H;
  TensorDescriptor D;
  Layout{1, 1, 1, 7}.describe(D);
  DeviceArray<float> X(7), Y(7);
  struct {
    cudnnActivationMode_t Mode;
    float (*Fn)(float);
  } Modes[] = {
      {CUDNN_ACTIVATION_SIGMOID, [](float X) { return 1 / (1 + expf(-X)); }},
      {CUDNN_ACTIVATION_RELU, [](float X) { return fmaxf(X, 0); }},
      {CUDNN_ACTIVATION_TANH, [](float X) { return tanhf(X); }},
      {CUDNN_ACTIVATION_CLIPPED_RELU,
       [](float X) { return fminf(fmaxf(X, 0), 2); }},
      {CUDNN_ACTIVATION_ELU,
       [](float X) { return X < 0 ? 2 * (expf(X) - 1) : X; }},
      {CUDNN_ACTIVATION_IDENTITY, [](float X) { return X; }},
      {CUDNN_ACTIVATION_SWISH, [](float X) { return X / (1 + expf(-X)); }},
  };
  for (auto &M : Modes) {
    ActivationDescriptor A;
    CHECK_DNN(
        cudnnSetActivationDescriptor(A, M.Mode, CUDNN_NOT_PROPAGATE_NAN, 2));
    std::vector<float> Want;
    for (float V : X.read())
      Want.push_back(M.Fn(V));
    CHECK_DNN(cudnnActivationForward(H, A, &One, D, X, &Zero, D, Y));
    checkClose(Y.read(), Want, 1e-6);
  }
}

TEST_CASE("batch normalization with given statistics") {
  DnnHandle H;
  const Layout X{2, 3, 2, 2};
  TensorDescriptor XD, SD;
  X.describe(XD);
  CHECK_DNN(cudnnDeriveBNTensorDescriptor(SD, XD, CUDNN_BATCHNORM_SPATIAL));
  size_t Size;
  CHECK_DNN(cudnnGetTensorSizeInBytes(SD, &Size));
  CHECK(Size == 3 * sizeof(float));
  DeviceArray<float> In(X.size()), Out(X.size()), Scale(3), Bias(3), Mean(3),
      Variance(3);
  Variance.write({1, 4, 0.25f});
  auto V = In.read(), S = Scale.read(), B = Bias.read(), M = Mean.read(),
       Var = Variance.read();
  std::vector<float> Want(X.size());
  for (size_t I = 0; I != V.size(); ++I) {
    int C = I / 4 % 3;
    Want[I] = S[C] * (V[I] - M[C]) / std::sqrt(Var[C] + 1e-5f) + B[C];
  }
  CHECK_DNN(cudnnBatchNormalizationForwardInference(
      H, CUDNN_BATCHNORM_SPATIAL, &One, &Zero, XD, In, XD, Out, SD, Scale, Bias,
      Mean, Variance, 1e-5));
  checkClose(Out.read(), Want, 1e-5);
}

TEST_CASE("softmax") {
  DnnHandle H;
  const Layout X{2, 3, 2, 2};
  TensorDescriptor D;
  X.describe(D);
  DeviceArray<float> In(X.size()), Out(X.size());
  for (auto Mode : {CUDNN_SOFTMAX_MODE_CHANNEL, CUDNN_SOFTMAX_MODE_INSTANCE})
    for (auto How :
         {CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG}) {
      std::vector<float> V = In.read(), Want(X.size());
      for (size_t I = 0; I != V.size(); ++I) {
        double Sum = 0;
        for (size_t J = 0; J != V.size(); ++J)
          if (J / 12 == I / 12 &&
              (Mode == CUDNN_SOFTMAX_MODE_INSTANCE || J % 4 == I % 4))
            Sum += std::exp(V[J]);
        Want[I] = How == CUDNN_SOFTMAX_LOG ? V[I] - std::log(Sum)
                                           : std::exp(V[I]) / Sum;
      }
      CHECK_DNN(cudnnSoftmaxForward(H, How, Mode, &One, D, In, &Zero, D, Out));
      checkClose(Out.read(), Want, 1e-5);
    }
}

TEST_CASE("calls are work of the handle's stream and copy descriptors") {
  DnnHandle H;
  cudaStream_t S;
  REQUIRE(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_DNN(cudnnSetStream(H, S));
  DeviceArray<float> X(4);
  X.write({1, 2, 3, 4});
  std::atomic<bool> Open{false};
  REQUIRE(cudaLaunchHostFunc(
              S,
              [](void *P) {
                while (!static_cast<std::atomic<bool> *>(P)->load())
                  std::this_thread::yield();
              },
              &Open) == cudaSuccess);
  {
    float Factor = 3;
    TensorDescriptor D;
    Layout{1, 1, 1, 4}.describe(D);
    CHECK_DNN(cudnnScaleTensor(H, D, X, &Factor));
    Factor = 100;
  }
  CHECK(X.read() == std::vector<float>{1, 2, 3, 4});
  Open = true;
  REQUIRE(cudaStreamSynchronize(S) == cudaSuccess);
  CHECK(X.read() == std::vector<float>{3, 6, 9, 12});
  CHECK_DNN(cudnnSetStream(H, nullptr));
  CHECK(cudaStreamDestroy(S) == cudaSuccess);
}

TEST_CASE("descriptors give back what they were given; bad ones are refused") {
  TensorDescriptor D;
  CHECK_DNN(cudnnSetTensor4dDescriptorEx(D, CUDNN_DATA_FLOAT, 2, 3, 4, 5, 100,
                                         30, 6, 1));
  int Dims[4], Strides[4], Rank;
  cudnnDataType_t Type;
  CHECK_DNN(cudnnGetTensorNdDescriptor(D, 4, &Type, &Rank, Dims, Strides));
  CHECK(Rank == 4);
  CHECK(Dims[2] == 4);
  CHECK(Strides[2] == 6);
  size_t Size;
  CHECK_DNN(cudnnGetTensorSizeInBytes(D, &Size));
  CHECK(Size == (100 + 2 * 30 + 3 * 6 + 4 + 1) * sizeof(float));
  CHECK(cudnnSetTensor4dDescriptor(D, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 0, 1,
                                   1, 1) == CUDNN_STATUS_BAD_PARAM);
  CHECK(cudnnSetTensor4dDescriptor(D, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8,
                                   1, 4, 1, 1) == CUDNN_STATUS_NOT_SUPPORTED);
  CHECK(cudnnScaleTensor(nullptr, D, nullptr, &One) ==
        CUDNN_STATUS_NOT_INITIALIZED);
}
