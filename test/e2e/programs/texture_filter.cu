// An image in an array is filtered by a texture; only the result is a pair.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
#include "e2e.h"

constexpr int Side = 256;

// Four texels of the same weight, at each place.
__global__ void smooth(cudaTextureObject_t image, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  out[y * Side + x] = tex2D<float>(image, x + 1.0f, y + 1.0f);
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dy;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, Side, Side));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, hx, Side * sizeof(float), Side * sizeof(float), Side,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypeArray;
  of.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  CHECK(cudaCreateTextureObject(&image, &of, &how, nullptr));
  smooth<<<dim3(Side / Threads, Side), Threads>>>(image, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int y = 0; y < Side; ++y)
    for (int x = 0; x < Side; ++x) {
      int right_of = x + 1 < Side ? x + 1 : x, below = y + 1 < Side ? y + 1 : y;
      float want = hx[y * Side + x] + hx[y * Side + right_of] + hx[below * Side + x] + hx[below * Side + right_of];
      right &= hy[y * Side + x] == want / 4;
    }
  printf("%s %.2f\n", right ? "right" : "wrong", sum(hy, N));
  CHECK(cudaDestroyTextureObject(image));
  CHECK(cudaFreeArray(array));
  cudaFree(dy);
  free(hx);
  free(hy);
}
