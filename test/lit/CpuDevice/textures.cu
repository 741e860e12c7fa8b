// Every kind of texture fetch of clang's header, by what it reads.
// RUN: %echo_cc --device=cpu --no-unify -O2 -w %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu --no-unify -O0 -w %s -o %t && %t | FileCheck %s
// REQUIRES: cuda-toolkit, cpu-device
#include <cstdio>
#include <vector>

static cudaArray_t array(cudaExtent Extent, unsigned Flags) {
  cudaArray_t A;
  cudaChannelFormatDesc Format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&A, &Format, Extent, Flags);
  cudaExtent All = make_cudaExtent(Extent.width, Extent.height ? Extent.height : 1,
                                   Extent.depth ? Extent.depth : 1);
  std::vector<float> Values(All.width * All.height * All.depth);
  for (size_t I = 0; I != Values.size(); ++I)
    Values[I] = I;
  cudaMemcpy3DParms P = {};
  P.srcPtr = make_cudaPitchedPtr(Values.data(), All.width * sizeof(float),
                                 All.width, All.height);
  P.dstArray = A;
  P.extent = All;
  P.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&P);
  return A;
}

static cudaTextureObject_t texture(cudaResourceDesc Of, bool Normalized = false) {
  cudaTextureDesc How = {};
  for (auto &Mode : How.addressMode)
    Mode = cudaAddressModeClamp;
  How.filterMode = cudaFilterModeLinear;
  How.normalizedCoords = Normalized;
  How.maxMipmapLevelClamp = 9;
  cudaTextureObject_t T = 0;
  cudaError_t Error = cudaCreateTextureObject(&T, &Of, &How, nullptr);
  if (Error)
    printf("%s\n", cudaGetErrorName(Error));
  return T;
}

static cudaTextureObject_t texture(cudaExtent Extent, unsigned Flags) {
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeArray;
  Of.res.array.array = array(Extent, Flags);
  return texture(Of);
}

// Levels of one, two and four times one value.
static cudaTextureObject_t mipmap(cudaExtent Extent, unsigned Flags) {
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeMipmappedArray;
  cudaChannelFormatDesc Format = cudaCreateChannelDesc<float>();
  cudaMallocMipmappedArray(&Of.res.mipmap.mipmap, &Format, Extent, 3, Flags);
  for (unsigned Level = 0; Level != 3; ++Level) {
    cudaMemcpy3DParms P = {};
    cudaGetMipmappedArrayLevel(&P.dstArray, Of.res.mipmap.mipmap, Level);
    cudaArrayGetInfo(nullptr, &P.extent, nullptr, P.dstArray);
    P.extent.height += !P.extent.height;
    P.extent.depth += !P.extent.depth;
    std::vector<float> Values(P.extent.width * P.extent.height * P.extent.depth, 1 << Level);
    P.srcPtr = make_cudaPitchedPtr(Values.data(), P.extent.width * sizeof(float), P.extent.width, P.extent.height);
    P.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&P);
  }
  return texture(Of, true);
}

struct Textures {
  cudaTextureObject_t D1, D2, D3, A1, A2, Cube, Cubes;
};

__global__ void fetch(Textures T) {
  printf("1D %g\n", tex1D<float>(T.D1, 1.0f));
  printf("2D %g\n", tex2D<float>(T.D2, 1, 1));
  printf("3D %g\n", tex3D<float>(T.D3, 1, 1, 1));
  printf("1DLayered %g\n", tex1DLayered<float>(T.A1, 1, 1));
  printf("2DLayered %g\n", tex2DLayered<float>(T.A2, 1, 1, 2));
  printf("cube %g %g\n", texCubemap<float>(T.Cube, 0, -1, 0), texCubemap<float>(T.Cube, 0, 0, -3));
  printf("cubes %g\n", texCubemapLayered<float>(T.Cubes, -2, 1, 1, 1));
  float4 G = tex2Dgather<float4>(T.D2, 1, 1, 0);
  printf("gather %g %g %g %g\n", G.x, G.y, G.z, G.w);
}
// CHECK: 1D 0.5
// CHECK-NEXT: 2D 1.5
// CHECK-NEXT: 3D 3.5
// CHECK-NEXT: 1DLayered 2.5
// CHECK-NEXT: 2DLayered 9.5
// CHECK-NEXT: cube 3 5
// CHECK-NEXT: cubes 7
// CHECK-NEXT: gather 2 3 1 0

__global__ void levels(Textures T) {
  printf("Lod %g %g %g\n", tex1DLod<float>(T.D1, 0.5f, 0), tex2DLod<float>(T.D2, 0.5f, 0.5f, 1),
         tex3DLod<float>(T.D3, 0.5f, 0.5f, 0.5f, 2));
  printf("layered Lod %g %g\n", tex1DLayeredLod<float>(T.A1, 0.5f, 1, 1),
         tex2DLayeredLod<float>(T.A2, 0.5f, 0.5f, 1, 2));
  printf("cube Lod %g %g\n", texCubemapLod<float>(T.Cube, 1, 0, 0, 1),
         texCubemapLayeredLod<float>(T.Cubes, 1, 0, 0, 1, 2));
  // Half of four texels are two: level 1.
  printf("Grad %g %g %g\n", tex1DGrad<float>(T.D1, 0.5f, 0.5f, 0),
         tex2DGrad<float>(T.D2, 0.5f, 0.5f, make_float2(0, 0.5f), make_float2(0, 0)),
         tex3DGrad<float>(T.D3, 0.5f, 0.5f, 0.5f, make_float4(0, 0, 0, 0), make_float4(0, 0, 1, 0)));
  printf("layered Grad %g %g\n", tex1DLayeredGrad<float>(T.A1, 0.5f, 1, 0, 0.5f),
         tex2DLayeredGrad<float>(T.A2, 0.5f, 0.5f, 1, make_float2(1, 0), make_float2(0, 0)));
}
// CHECK-NEXT: Lod 1 2 4
// CHECK-NEXT: layered Lod 2 4
// CHECK-NEXT: cube Lod 2 4
// CHECK-NEXT: Grad 2 2 4
// CHECK-NEXT: layered Grad 2 4

// The type of a fetch is the texture's: these read integers of 8 bits.
__global__ void types(cudaTextureObject_t T) {
  char2 C = tex1Dfetch<char2>(T, 1);
  printf("char2 %d %d\n", C.x, C.y);
  printf("beyond %d\n", tex1Dfetch<char2>(T, 4).x);
}
// CHECK-NEXT: char2 -3 4
// CHECK-NEXT: beyond 0

int main() {
  const unsigned Layered = cudaArrayLayered, Cube = cudaArrayCubemap;
  fetch<<<1, 1>>>({texture(make_cudaExtent(4, 0, 0), 0), texture(make_cudaExtent(2, 2, 0), cudaArrayTextureGather),
                   texture(make_cudaExtent(2, 2, 2), 0), texture(make_cudaExtent(2, 0, 2), Layered),
                   texture(make_cudaExtent(2, 2, 3), Layered), texture(make_cudaExtent(1, 1, 6), Cube),
                   texture(make_cudaExtent(1, 1, 12), Cube | Layered)});
  cudaDeviceSynchronize();
  levels<<<1, 1>>>({mipmap(make_cudaExtent(4, 0, 0), 0), mipmap(make_cudaExtent(4, 4, 0), 0),
                    mipmap(make_cudaExtent(4, 4, 4), 0), mipmap(make_cudaExtent(4, 0, 2), Layered),
                    mipmap(make_cudaExtent(4, 4, 2), Layered), mipmap(make_cudaExtent(4, 4, 6), Cube),
                    mipmap(make_cudaExtent(4, 4, 12), Cube | Layered)});
  cudaDeviceSynchronize();
  signed char H[] = {1, 2, -3, 4, 5, 6, 7, 8};
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeLinear;
  cudaMalloc(&Of.res.linear.devPtr, sizeof H);
  cudaMemcpy(Of.res.linear.devPtr, H, sizeof H, cudaMemcpyHostToDevice);
  Of.res.linear.desc = cudaCreateChannelDesc<char2>();
  Of.res.linear.sizeInBytes = sizeof H;
  types<<<1, 1>>>(texture(Of));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// CHECK-NEXT: cudaSuccess
