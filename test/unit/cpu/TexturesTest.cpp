//===- TexturesTest.cpp - Texture and surface objects ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What descriptors become, and which are refused.
//
//===----------------------------------------------------------------------===//
#include "ArrayCalls.h"
#include "Support.h"
#include "TextureSupport.h"

static cudaResourceDesc of(cudaArray_t A) {
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeArray;
  R.res.array.array = A;
  return R;
}
static cudaResourceDesc of(void *P, size_t Bytes,
                           cudaChannelFormatDesc Desc = FloatDesc) {
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeLinear;
  R.res.linear = {P, Desc, Bytes};
  return R;
}

static cudaError_t make(const cudaResourceDesc &R, const cudaTextureDesc &T,
                        cudaTextureObject_t *Out = nullptr) {
  cudaTextureObject_t Object = 0;
  cudaError_t Error = cudaCreateTextureObject(&Object, &R, &T, nullptr);
  if (Out)
    *Out = Object;
  else if (Error == cudaSuccess)
    CHECK_CUDA(cudaDestroyTextureObject(Object));
  return Error;
}

static const EchoCpuTexture *read(cudaTextureObject_t Object) {
  return reinterpret_cast<const EchoCpuTexture *>(Object);
}

TEST_CASE("a texture of an array") {
  cudaArray_t A = floatArray(2, 2);
  const float Values[] = {1, 2, 3, 4};
  CHECK_CUDA(cudaMemcpyToArray(A, 0, 0, Values, 16, cudaMemcpyHostToDevice));
  cudaTextureDesc T = {};
  T.addressMode[0] = T.addressMode[1] = cudaAddressModeBorder;
  T.filterMode = cudaFilterModeLinear;
  T.borderColor[0] = 9;
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(of(A), T, &Object));
  auto At = [&](float X, float Y) {
    return floatOf(echo_tex_sample(read(Object), 2, X, Y, 0, 0, 0)[0]);
  };
  CHECK(At(1, 1) == 2.5f);
  CHECK(At(-3, 1) == 9);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  CHECK(cudaDestroyTextureObject(Object) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(A));
  CHECK(make(of(A), T) == cudaErrorInvalidValue);
}

TEST_CASE("without normalized coordinates nothing wraps") {
  cudaArray_t A = floatArray(2, 2);
  cudaTextureDesc T = {};
  T.addressMode[0] = cudaAddressModeWrap;
  T.addressMode[1] = cudaAddressModeMirror;
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(of(A), T, &Object));
  CHECK(read(Object)->address[0] == ECHO_CPU_CLAMP);
  CHECK(read(Object)->address[1] == ECHO_CPU_CLAMP);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  T.normalizedCoords = 1;
  REQUIRE_CUDA(make(of(A), T, &Object));
  CHECK(read(Object)->address[0] == ECHO_CPU_WRAP);
  CHECK(read(Object)->address[1] == ECHO_CPU_MIRROR);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  CHECK_CUDA(cudaFreeArray(A));
}

TEST_CASE("linear filters need numbers that can be mixed") {
  cudaArray_t A, Words;
  const cudaChannelFormatDesc Word = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  REQUIRE_CUDA(cudaMallocArray(&A, &ByteDesc, 4, 0, 0));
  REQUIRE_CUDA(cudaMallocArray(&Words, &Word, 4, 0, 0));
  cudaTextureDesc T = {};
  CHECK_CUDA(make(of(A), T));
  T.filterMode = cudaFilterModeLinear;
  CHECK(make(of(A), T) == cudaErrorInvalidFilterSetting);
  T.readMode = cudaReadModeNormalizedFloat;
  CHECK_CUDA(make(of(A), T));
  CHECK(make(of(Words), T) == cudaErrorInvalidFilterSetting);
  T.filterMode = cudaFilterModePoint;
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(of(Words), T, &Object));
  CHECK(read(Object)->flags == 0); // such integers stay integers
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  CHECK_CUDA(cudaFreeArray(A));
  CHECK_CUDA(cudaFreeArray(Words));
}

TEST_CASE("settings that are refused") {
  cudaArray_t A = floatArray(2, 2);
  cudaTextureDesc T = {};
  cudaTextureObject_t Object;
  cudaResourceDesc R = of(A);
  T.addressMode[2] = cudaTextureAddressMode(4);
  CHECK(make(R, T) == cudaErrorInvalidValue);
  T = {};
  T.filterMode = cudaTextureFilterMode(2);
  CHECK(make(R, T) == cudaErrorInvalidValue);
  T = {};
  CHECK(cudaCreateTextureObject(nullptr, &R, &T, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(&Object, &R, nullptr, nullptr) ==
        cudaErrorInvalidValue);
  // A view of the resource, and filtering across the edges of a cube.
  CHECK(cudaCreateTextureObject(&Object, &R, &T,
                                reinterpret_cast<const cudaResourceViewDesc *>(
                                    &R)) == cudaErrorNotSupported);
#if ECHO_CUDA_VERSION >= 12000
  T.seamlessCubemap = 1;
  CHECK(make(R, T) == cudaErrorNotSupported);
#endif
  CHECK_CUDA(cudaFreeArray(A));
}

TEST_CASE("textures of linear memory") {
  float *D;
  REQUIRE_CUDA(cudaMalloc((void **)&D, 4096));
  const float Values[] = {1, 2, 3, 4};
  CHECK_CUDA(cudaMemcpy(D, Values, 16, cudaMemcpyHostToDevice));
  cudaTextureDesc T = {};
  T.filterMode = cudaFilterModeLinear; // ignored
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(of(D, 16), T, &Object));
  CHECK(floatOf(echo_tex_fetch(read(Object), 3)[0]) == 4);
  CHECK(echo_tex_fetch(read(Object), 4)[0] == 0);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  CHECK(make(of(D + 1, 16), T) == cudaErrorInvalidValue); // not aligned
  CHECK_CUDA(make(of(D, 5000), T)); // what is read beyond is the program's
  CHECK(make(of(D, size_t(5) << 28), T) == cudaErrorInvalidValue);
  CHECK(make(of(D, 3), T) == cudaErrorInvalidValue);
  alignas(512) static float OfHost[4];
  CHECK(make(of(OfHost, 16), T) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(D));
}

TEST_CASE("textures of pitched memory") {
  float *D;
  REQUIRE_CUDA(cudaMalloc((void **)&D, 128));
  const float Values[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 20};
  CHECK_CUDA(cudaMemcpy(D, Values, sizeof Values, cudaMemcpyHostToDevice));
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypePitch2D;
  R.res.pitch2D = {D, FloatDesc, 2, 2, 32};
  cudaTextureDesc T = {};
  T.filterMode = cudaFilterModeLinear;
  T.addressMode[0] = T.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(R, T, &Object));
  CHECK(floatOf(echo_tex_sample(read(Object), 2, 1, 1, 0, 0, 0)[0]) == 8.25f);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  R.res.pitch2D.pitchInBytes = 40;
  CHECK(make(R, T) == cudaErrorInvalidValue);
  R.res.pitch2D.pitchInBytes = 32;
  R.res.pitch2D.height = 65537;
  CHECK(make(R, T) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(D));
}

TEST_CASE("a texture of a mipmapped array") {
  cudaMipmappedArray_t M;
  cudaArray_t L;
  REQUIRE_CUDA(cudaMallocMipmappedArray(&M, &FloatDesc, {2, 0, 0}, 2, 0));
  const float Fine[] = {1, 1}, Coarse[] = {3};
  REQUIRE_CUDA(cudaGetMipmappedArrayLevel(&L, M, 0));
  CHECK_CUDA(cudaMemcpyToArray(L, 0, 0, Fine, 8, cudaMemcpyHostToDevice));
  REQUIRE_CUDA(cudaGetMipmappedArrayLevel(&L, M, 1));
  CHECK_CUDA(cudaMemcpyToArray(L, 0, 0, Coarse, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc R = {};
  R.resType = cudaResourceTypeMipmappedArray;
  R.res.mipmap.mipmap = M;
  cudaTextureDesc T = {};
  T.normalizedCoords = 1;
  T.mipmapFilterMode = cudaFilterModeLinear;
  T.maxMipmapLevelClamp = 1;
  cudaTextureObject_t Object;
  REQUIRE_CUDA(make(R, T, &Object));
  CHECK(floatOf(echo_tex_sample(read(Object), 1, 0.5f, 0, 0, 0, 0.5f)[0]) == 2);
  CHECK_CUDA(cudaDestroyTextureObject(Object));
  CHECK_CUDA(cudaFreeMipmappedArray(M));
  CHECK(make(R, T) == cudaErrorInvalidValue);
}

TEST_CASE("a surface needs an array that allows it") {
  cudaArray_t A = floatArray(2, 2, cudaArraySurfaceLoadStore);
  cudaArray_t Plain = floatArray(2, 2);
  cudaSurfaceObject_t Object;
  cudaResourceDesc R = of(A);
  REQUIRE_CUDA(cudaCreateSurfaceObject(&Object, &R));
  const auto *S = reinterpret_cast<const EchoCpuSurface *>(Object);
  echo_surface_store(S, 4, 1, 0, ECHO_CPU_TRAP, 4, 1, 0, 77);
  unsigned Got = 0;
  CHECK_CUDA(cudaMemcpyFromArray(&Got, A, 4, 1, 4, cudaMemcpyDeviceToHost));
  CHECK(Got == 77);
  CHECK_CUDA(cudaDestroySurfaceObject(Object));
  CHECK(cudaDestroySurfaceObject(Object) == cudaErrorInvalidValue);
  R = of(Plain);
  CHECK(cudaCreateSurfaceObject(&Object, &R) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(A));
  CHECK_CUDA(cudaFreeArray(Plain));
}
