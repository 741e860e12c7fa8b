//===- Dnn.h - cuDNN's descriptors for the time of a test -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of cuDNN share: descriptors that destroy themselves, and
// tensors in NCHW order.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPULIBS_DNN_H
#define ECHO_TEST_UNIT_CPULIBS_DNN_H

#include "DeviceArray.h"

#include <cudnn.h>

#define CHECK_DNN(Call) CHECK(int(Call) == int(CUDNN_STATUS_SUCCESS))

template <typename D, cudnnStatus_t (*Create)(D *), cudnnStatus_t (*Destroy)(D)>
class Owned {
public:
  Owned() { REQUIRE(Create(&P) == CUDNN_STATUS_SUCCESS); }
  ~Owned() { CHECK(Destroy(P) == CUDNN_STATUS_SUCCESS); }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  operator D() const { return P; }

private:
  D P;
};
#define OWNED(NAME)                                                            \
  using NAME##Descriptor =                                                     \
      Owned<cudnn##NAME##Descriptor_t, cudnnCreate##NAME##Descriptor,          \
            cudnnDestroy##NAME##Descriptor>;
OWNED(Tensor)
OWNED(Filter)
OWNED(Convolution)
OWNED(Pooling)
OWNED(Activation)
OWNED(OpTensor)
using DnnHandle = Owned<cudnnHandle_t, cudnnCreate, cudnnDestroy>;

/// Dimensions of a tensor, and where its elements lie.
struct Layout {
  int N, C, H, W;
  bool ChannelsLast = false;
  size_t size() const { return size_t(N) * C * H * W; }
  size_t at(int n, int c, int h, int w) const {
    return ChannelsLast ? ((size_t(n) * H + h) * W + w) * C + c
                        : ((size_t(n) * C + c) * H + h) * W + w;
  }
  cudnnTensorFormat_t format() const {
    return ChannelsLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
  }
  void describe(cudnnTensorDescriptor_t D) const {
    REQUIRE(cudnnSetTensor4dDescriptor(D, format(), CUDNN_DATA_FLOAT, N, C, H,
                                       W) == CUDNN_STATUS_SUCCESS);
  }
  void describe(cudnnFilterDescriptor_t D) const {
    REQUIRE(cudnnSetFilter4dDescriptor(D, CUDNN_DATA_FLOAT, format(), N, C, H,
                                       W) == CUDNN_STATUS_SUCCESS);
  }
};

inline void checkClose(const std::vector<float> &Got,
                       const std::vector<float> &Want, float Tolerance = 0) {
  REQUIRE(Got.size() == Want.size());
  for (size_t I = 0; I != Got.size(); ++I)
    if (!(std::abs(Got[I] - Want[I]) <= Tolerance))
      FAIL_CHECK("element " << I << ": " << Got[I] << " instead of "
                            << Want[I]);
  SUCCEED();
}

#endif
