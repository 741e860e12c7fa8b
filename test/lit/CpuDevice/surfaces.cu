// Every kind of surface access of clang's header, at its place in the array.
// RUN: %echo_cc --device=cpu --no-unify -O2 -w %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu --no-unify -O0 -w %s -o %t && %t | FileCheck %s
// REQUIRES: cuda-toolkit, cpu-device
#include <cstdio>

static cudaSurfaceObject_t surface(cudaExtent Extent, unsigned Flags) {
  cudaChannelFormatDesc Format = cudaCreateChannelDesc<short2>();
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeArray;
  cudaMalloc3DArray(&Of.res.array.array, &Format, Extent, Flags | cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t S = 0;
  cudaCreateSurfaceObject(&S, &Of);
  return S;
}

struct Surfaces {
  cudaSurfaceObject_t D1, D2, D3, A1, A2, Cube, Cubes;
};

__global__ void store(Surfaces S) {
  surf1Dwrite(make_short2(1, -1), S.D1, 4);
  surf2Dwrite(make_short2(2, -2), S.D2, 4, 1);
  surf3Dwrite(make_short2(3, -3), S.D3, 4, 1, 1);
  surf1DLayeredwrite(make_short2(4, -4), S.A1, 4, 1);
  surf2DLayeredwrite(make_short2(5, -5), S.A2, 4, 1, 2);
  surfCubemapwrite(make_short2(6, -6), S.Cube, 4, 1, 5);
  surfCubemapLayeredwrite(make_short2(7, -7), S.Cubes, 4, 1, 11);
}

__device__ void show(const char *Name, short2 V) { printf("%s %d %d\n", Name, V.x, V.y); }

__global__ void load(Surfaces S) {
  show("1D", surf1Dread<short2>(S.D1, 4));
  show("2D", surf2Dread<short2>(S.D2, 4, 1));
  show("3D", surf3Dread<short2>(S.D3, 4, 1, 1));
  show("1DLayered", surf1DLayeredread<short2>(S.A1, 4, 1));
  show("2DLayered", surf2DLayeredread<short2>(S.A2, 4, 1, 2));
  show("cube", surfCubemapread<short2>(S.Cube, 4, 1, 5));
  show("cubes", surfCubemapLayeredread<short2>(S.Cubes, 4, 1, 11));
  // Coordinates count bytes, and an element may have another type.
  printf("half %d\n", surf2Dread<short>(S.D2, 6, 1));
  printf("int %x\n", surf2Dread<int>(S.D2, 4, 1));
  printf("nearest %d\n", surf2Dread<short>(S.D2, 900, 7, cudaBoundaryModeClamp));
  printf("zero %d\n", surf2Dread<short>(S.D2, 8, 1, cudaBoundaryModeZero));
}
// CHECK: 1D 1 -1
// CHECK-NEXT: 2D 2 -2
// CHECK-NEXT: 3D 3 -3
// CHECK-NEXT: 1DLayered 4 -4
// CHECK-NEXT: 2DLayered 5 -5
// CHECK-NEXT: cube 6 -6
// CHECK-NEXT: cubes 7 -7
// CHECK-NEXT: half -2
// CHECK-NEXT: int fffe0002
// CHECK-NEXT: nearest -2
// CHECK-NEXT: zero 0

__global__ void beyond(Surfaces S) { surf2Dwrite(make_short2(1, 1), S.D2, 8, 0); }

int main() {
  const unsigned Layered = cudaArrayLayered, Cube = cudaArrayCubemap;
  Surfaces S = {surface(make_cudaExtent(2, 0, 0), 0),    surface(make_cudaExtent(2, 2, 0), 0),
                surface(make_cudaExtent(2, 2, 2), 0),    surface(make_cudaExtent(2, 0, 2), Layered),
                surface(make_cudaExtent(2, 2, 3), Layered), surface(make_cudaExtent(2, 2, 6), Cube),
                surface(make_cudaExtent(2, 2, 12), Cube | Layered)};
  store<<<1, 1>>>(S);
  load<<<1, 1>>>(S);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  beyond<<<1, 1>>>(S);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// CHECK-NEXT: cudaSuccess
// CHECK-NEXT: cudaErrorLaunchFailure
