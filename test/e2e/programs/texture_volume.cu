// A volume comes into a three-dimensional array, layers into another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
#include "e2e.h"

constexpr int Side = 32, Layers = 64;

// The middle of eight texels, and the texel of a layer in wrapped coordinates.
__global__ void look(cudaTextureObject_t volume, cudaTextureObject_t layers, float *out) {
  int x = threadIdx.x, y = blockIdx.x % Side, z = blockIdx.x / Side;
  float mixed = tex3D<float>(volume, (x + 1.0f) / Side, (y + 1.0f) / Side, (z + 1.0f) / Side);
  ushort2 pair = tex2DLayered<ushort2>(layers, x + 0.5f, y + 0.5f, z);
  int i = (z * Side + y) * Side + x;
  out[2 * i] = mixed;
  out[2 * i + 1] = pair.x + 2.0f * pair.y;
}

static void toArray(cudaArray_t array, void *from, size_t rowBytes, cudaExtent extent) {
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(from, rowBytes, extent.width, extent.height);
  p.dstArray = array;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
}

static cudaTextureObject_t texture(cudaArray_t array, bool linear) {
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypeArray;
  of.res.array.array = array;
  cudaTextureDesc how = {};
  for (cudaTextureAddressMode &mode : how.addressMode)
    mode = linear ? cudaAddressModeWrap : cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.normalizedCoords = linear;
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &of, &how, nullptr));
  return object;
}

int main() {
  constexpr int Voxels = Side * Side * Side;
  std::vector<float> volume(Voxels);
  std::vector<ushort2> layers(Side * Side * Layers);
  fill(volume.data(), Voxels, 3);
  for (size_t i = 0; i < layers.size(); ++i)
    layers[i] = make_ushort2(i % 251, i % 83);
  cudaArray_t a, b;
  cudaChannelFormatDesc one = cudaCreateChannelDesc<float>(), two = cudaCreateChannelDesc<ushort2>();
  CHECK(cudaMalloc3DArray(&a, &one, make_cudaExtent(Side, Side, Side)));
  CHECK(cudaMalloc3DArray(&b, &two, make_cudaExtent(Side, Side, Layers), cudaArrayLayered));
  toArray(a, volume.data(), Side * sizeof(float), make_cudaExtent(Side, Side, Side));
  toArray(b, layers.data(), Side * sizeof(ushort2), make_cudaExtent(Side, Side, Layers));
  cudaTextureObject_t ta = texture(a, true), tb = texture(b, false);
  float *hy = (float *)malloc(2 * Voxels * sizeof(float)), *dy;
  CHECK(cudaMalloc(&dy, 2 * Voxels * sizeof(float)));
  look<<<Side * Side, Side>>>(ta, tb, dy);
  CHECK(cudaMemcpy(hy, dy, 2 * Voxels * sizeof(float), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < Voxels; ++i) {
    float want = 0;
    for (int corner = 0; corner < 8; ++corner) {
      int x = (i % Side + (corner & 1)) % Side, y = (i / Side % Side + (corner >> 1 & 1)) % Side;
      int z = (i / Side / Side + (corner >> 2)) % Side;
      want += volume[(z * Side + y) * Side + x] / 8;
    }
    right &= hy[2 * i] == want && hy[2 * i + 1] == layers[i].x + 2.0f * layers[i].y;
  }
  printf("%s %.2f\n", right ? "right" : "wrong", sum(hy, 2 * Voxels));
  cudaFree(dy);
  free(hy);
  CHECK(cudaDestroyTextureObject(ta));
  CHECK(cudaDestroyTextureObject(tb));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFreeArray(b));
}
