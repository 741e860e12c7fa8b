//===- ArraysTest.cpp - Arrays and mipmapped arrays -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which formats and extents are taken, what calls say of them, and frees.
//
//===----------------------------------------------------------------------===//
#include "ArrayCalls.h"
#include "Support.h"

#include <cstring>

TEST_CASE("an array says what it is") {
  cudaArray_t A;
  cudaChannelFormatDesc Desc =
      cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned);
  REQUIRE_CUDA(cudaMallocArray(&A, &Desc, 7, 5, cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc Got = {};
  CHECK_CUDA(cudaGetChannelDesc(&Got, A));
  CHECK(memcmp(&Got, &Desc, sizeof Got) == 0);
  cudaExtent Extent = {};
  unsigned Flags = 0;
  CHECK_CUDA(cudaArrayGetInfo(&Got, &Extent, &Flags, A));
  CHECK((Extent.width == 7 && Extent.height == 5 && Extent.depth == 0));
  CHECK(Flags == cudaArraySurfaceLoadStore);
  CHECK_CUDA(cudaArrayGetInfo(nullptr, nullptr, nullptr, A));
  CHECK_CUDA(cudaFreeArray(A));
  CHECK(cudaGetChannelDesc(&Got, A) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(A) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(nullptr));
}

TEST_CASE("formats that arrays may have") {
  auto Make = [](cudaChannelFormatDesc Desc) {
    cudaArray_t A = nullptr;
    cudaError_t Error = cudaMallocArray(&A, &Desc, 4, 4, cudaArrayDefault);
    cudaFreeArray(A);
    return Error;
  };
  constexpr auto Float = cudaChannelFormatKindFloat;
  constexpr auto Unsigned = cudaChannelFormatKindUnsigned;
  for (int Bits : {8, 16, 32}) {
    CHECK_CUDA(Make({Bits, 0, 0, 0, Unsigned}));
    CHECK_CUDA(Make({Bits, Bits, 0, 0, cudaChannelFormatKindSigned}));
    CHECK_CUDA(Make({Bits, Bits, Bits, Bits, Unsigned}));
    CHECK(Make({Bits, Bits, Bits, 0, Unsigned}) ==
          cudaErrorInvalidChannelDescriptor);
  }
  CHECK_CUDA(Make({16, 0, 0, 0, Float}));
  for (cudaChannelFormatDesc Wrong : {cudaChannelFormatDesc{8, 0, 0, 0, Float},
                                      {64, 0, 0, 0, Unsigned},
                                      {32, 16, 0, 0, Unsigned},
                                      {0, 32, 0, 0, Unsigned},
                                      {0, 0, 0, 0, Unsigned},
                                      {32, 0, 0, 0, cudaChannelFormatKindNone}})
    CHECK(Make(Wrong) == cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("extents that arrays may have") {
  auto Make = [](cudaExtent Extent, unsigned Flags) {
    cudaArray_t A = nullptr;
    cudaError_t Error = cudaMalloc3DArray(&A, &ByteDesc, Extent, Flags);
    cudaFreeArray(A);
    return Error;
  };
  CHECK_CUDA(Make({8, 0, 0}, 0));
  CHECK_CUDA(Make({8, 4, 2}, 0));
  CHECK_CUDA(Make({8, 0, 3}, cudaArrayLayered));
  CHECK_CUDA(Make({8, 4, 3}, cudaArrayLayered));
  CHECK_CUDA(Make({8, 8, 6}, cudaArrayCubemap));
  CHECK_CUDA(Make({8, 8, 12}, cudaArrayCubemap | cudaArrayLayered));
  CHECK_CUDA(Make({8, 8, 0}, cudaArrayTextureGather));
  CHECK(Make({0, 0, 0}, 0) == cudaErrorInvalidValue);
  CHECK(Make({8, 0, 2}, 0) == cudaErrorInvalidValue);
  CHECK(Make({131073, 0, 0}, 0) == cudaErrorInvalidValue);
  CHECK(Make({8, 4, 0}, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(Make({8, 4, 6}, cudaArrayCubemap) == cudaErrorInvalidValue);
  CHECK(Make({8, 8, 7}, cudaArrayCubemap | cudaArrayLayered) ==
        cudaErrorInvalidValue);
  CHECK(Make({8, 0, 0}, cudaArrayTextureGather) == cudaErrorInvalidValue);
  CHECK(Make({8, 8, 0}, 0x1000) == cudaErrorInvalidValue);
  CHECK(Make({8, 8, 0}, cudaArraySparse) == cudaErrorNotSupported);
}

TEST_CASE("arrays use the device's memory") {
  size_t Before, With, After, Total;
  REQUIRE_CUDA(cudaMemGetInfo(&Before, &Total));
  cudaArray_t A = floatArray(64, 16);
  REQUIRE_CUDA(cudaMemGetInfo(&With, &Total));
  CHECK(Before - With == 64 * 16 * sizeof(float));
  CHECK_CUDA(cudaFreeArray(A));
  REQUIRE_CUDA(cudaMemGetInfo(&After, &Total));
  CHECK(Before == After);
}

TEST_CASE("child: arrays with little memory", "[.]") {
  CHECK(floatArray(1024, 1024) == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  cudaArray_t A = floatArray(4, 1);
  REQUIRE(A);
  unsigned Bits = 0;
  CHECK_CUDA(cudaMemcpyFromArray(&Bits, A, 0, 0, 4, cudaMemcpyDeviceToHost));
  CHECK(Bits == 0xa5a5a5a5);
  CHECK_CUDA(cudaDeviceReset());
  CHECK(cudaFreeArray(A) == cudaErrorInvalidValue);
}

TEST_CASE("arrays fail and are poisoned as other memory of the device") {
  ChildResult R = runChild("child: arrays with little memory",
                           {"ECHO_CPU_MEMORY=1M", "ECHO_CPU_POISON=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("levels of a mipmapped array") {
  cudaMipmappedArray_t M;
  REQUIRE_CUDA(cudaMallocMipmappedArray(&M, &ByteDesc, {8, 2, 0}, 9, 0));
  const cudaExtent Want[] = {{8, 2, 0}, {4, 1, 0}, {2, 1, 0}, {1, 1, 0}};
  cudaArray_t L;
  for (unsigned I = 0; I != 4; ++I) {
    cudaExtent Got = {};
    REQUIRE_CUDA(cudaGetMipmappedArrayLevel(&L, M, I));
    CHECK_CUDA(cudaArrayGetInfo(nullptr, &Got, nullptr, L));
    CHECK(memcmp(&Got, &Want[I], sizeof Got) == 0);
  }
  // It belongs to the mipmapped array.
  CHECK(cudaFreeArray(L) == cudaErrorInvalidValue);
  CHECK(cudaGetMipmappedArrayLevel(&L, M, 4) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeMipmappedArray(M));
  CHECK(cudaFreeMipmappedArray(M) == cudaErrorInvalidValue);
  CHECK(cudaArrayGetInfo(nullptr, nullptr, nullptr, L) ==
        cudaErrorInvalidValue);
  // Layers are as many at each level.
  REQUIRE_CUDA(
      cudaMallocMipmappedArray(&M, &ByteDesc, {8, 8, 6}, 2, cudaArrayCubemap));
  REQUIRE_CUDA(cudaGetMipmappedArrayLevel(&L, M, 1));
  cudaExtent Got = {};
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &Got, nullptr, L));
  CHECK((Got.width == 4 && Got.depth == 6));
  CHECK_CUDA(cudaFreeMipmappedArray(M));
}
