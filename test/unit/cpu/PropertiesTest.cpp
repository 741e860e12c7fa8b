//===- PropertiesTest.cpp - cudaDeviceProp as the toolkit lays it out -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled against the toolkit's own headers: the fields that the runtime fills
// must be where programs look for them, and nothing beyond may be written.
//
//===----------------------------------------------------------------------===//
#include <catch2/catch.hpp>
#include <cstring>
#include <cuda_runtime_api.h>

TEST_CASE("device properties match the toolkit's layout") {
  struct {
    cudaDeviceProp P;
    unsigned char After[64];
  } Box;
  memset(&Box, 0x5a, sizeof(Box));
  REQUIRE(cudaGetDeviceProperties(&Box.P, 0) == cudaSuccess);
  for (unsigned char C : Box.After)
    CHECK(C == 0x5a);
  const cudaDeviceProp &P = Box.P;
  CHECK(std::string(P.name) == "Echo CPU device");
  CHECK(P.totalGlobalMem > 1 << 20);
  CHECK(P.sharedMemPerBlock == 48 << 10);
  CHECK(P.warpSize == 32);
  CHECK(P.maxThreadsPerBlock == 1024);
  CHECK(P.maxThreadsDim[2] == 64);
  CHECK(P.maxGridSize[0] == 2147483647);
  CHECK(P.totalConstMem == 65536);
  CHECK((P.major == 9 && P.minor == 0));
  int Processors = 0;
  CHECK(cudaDeviceGetAttribute(&Processors, cudaDevAttrMultiProcessorCount,
                               0) == cudaSuccess);
  CHECK(P.multiProcessorCount == Processors);
  CHECK(P.integrated == 1);
  CHECK(P.canMapHostMemory == 1);
  CHECK(P.surfaceAlignment == 512);
  int Alignment = 0;
  CHECK(cudaDeviceGetAttribute(&Alignment, cudaDevAttrSurfaceAlignment, 0) ==
        cudaSuccess);
  CHECK(Alignment == 512);
  CHECK((P.maxTexture1D == 131072 && P.maxTexture1DMipmap == 32768));
  CHECK((P.maxTexture2D[0] == 131072 && P.maxTexture2D[1] == 65536));
  CHECK(P.maxTexture2DLinear[2] == 2097120);
  CHECK((P.maxTexture3D[2] == 16384 && P.maxTexture3DAlt[0] == 16384));
  CHECK(P.maxTexture2DLayered[2] == 2048);
  CHECK(P.maxTextureCubemapLayered[1] == 2046);
  CHECK((P.maxSurface1D == 131072 && P.maxSurfaceCubemapLayered[1] == 2046));
  CHECK(P.concurrentKernels == 1);
  CHECK(P.unifiedAddressing == 1);
  CHECK(P.memoryBusWidth == 64);
  CHECK(P.maxThreadsPerMultiProcessor == 1024);
  CHECK(P.managedMemory == 1);
  CHECK(P.hostNativeAtomicSupported == 1);
  CHECK(P.pageableMemoryAccess == 1);
  CHECK(P.concurrentManagedAccess == 1);
  CHECK(P.cooperativeLaunch == 1);
  CHECK(P.sharedMemPerBlockOptin == 227 << 10);
  CHECK(P.pageableMemoryAccessUsesHostPageTables == 1);
  CHECK(P.maxBlocksPerMultiProcessor == 1);
#if CUDART_VERSION >= 12000
  CHECK(P.hostRegisterSupported == 1);
  CHECK(P.memoryPoolsSupported == 1);
  CHECK(P.clusterLaunch == 0);
#endif
}

TEST_CASE("types agree with the toolkit's") {
  cudaPointerAttributes A;
  int X = 0;
  REQUIRE(cudaPointerGetAttributes(&A, &X) == cudaSuccess);
  CHECK(A.type == cudaMemoryTypeUnregistered);
  CHECK(A.hostPointer == &X);
  cudaFuncAttributes F;
  CHECK(cudaFuncGetAttributes(&F, &X) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}
