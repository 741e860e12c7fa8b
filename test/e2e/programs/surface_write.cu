// A kernel writes a surface, and the next one reads its array by a texture.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
#include "e2e.h"

constexpr int Side = 256;

__global__ void draw(cudaSurfaceObject_t to) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  uchar4 colour = make_uchar4(x, y, x ^ y, 255);
  surf2Dwrite(colour, to, x * sizeof(uchar4), y);
  // Beyond the surface nothing is written, and 0 is read.
  surf2Dwrite(colour, to, (x + Side) * sizeof(uchar4), y, cudaBoundaryModeZero);
}

__global__ void swap(cudaSurfaceObject_t in) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  uchar4 colour = surf2Dread<uchar4>(in, x * sizeof(uchar4), y);
  uchar4 none = surf2Dread<uchar4>(in, -4, y, cudaBoundaryModeZero);
  surf2Dwrite(make_uchar4(colour.y, colour.x, colour.z, none.w), in, x * sizeof(uchar4), y);
}

__global__ void look(cudaTextureObject_t image, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float4 colour = tex2D<float4>(image, x + 0.5f, y + 0.5f);
  out[y * Side + x] = 255 * colour.x + 510 * colour.y + 1020 * colour.w;
}

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&array, &format, Side, Side, cudaArraySurfaceLoadStore));
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypeArray;
  of.res.array.array = array;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeNormalizedFloat;
  cudaSurfaceObject_t surface;
  cudaTextureObject_t image;
  CHECK(cudaCreateSurfaceObject(&surface, &of));
  CHECK(cudaCreateTextureObject(&image, &of, &how, nullptr));
  float *hy = (float *)malloc(Bytes), *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  const dim3 grid(Side / Threads, Side);
  draw<<<grid, Threads>>>(surface);
  swap<<<grid, Threads>>>(surface);
  look<<<grid, Threads>>>(image, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  std::vector<uchar4> pixels(N);
  CHECK(cudaMemcpy2DFromArray(pixels.data(), Side * 4, array, 0, 0, Side * 4, Side, cudaMemcpyDeviceToHost));
  bool right = true;
  long total = 0;
  for (int i = 0; i < N; ++i) {
    int x = i % Side, y = i / Side;
    right &= pixels[i].x == y && pixels[i].y == x && pixels[i].z == (x ^ y) && pixels[i].w == 0;
    total += lroundf(hy[i]);
  }
  printf("%s %ld\n", right ? "right" : "wrong", total);
  CHECK(cudaDestroyTextureObject(image));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  cudaFree(dy);
  free(hy);
}
