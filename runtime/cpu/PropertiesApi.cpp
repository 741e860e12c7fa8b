//===- PropertiesApi.cpp - cudaGetDeviceProperties ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills cudaDeviceProp. The struct's layout differs between CUDA 11, 12 and 13;
// one table of fields serves all three. The symbol cudaGetDeviceProperties
// stands for CUDA 11's layout or for 13's, by the toolkit that Echo was built
// for; the _v2 symbol always for CUDA 12's.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"

#include <cstdio>
#include <cstring>

using namespace echo::cpu;

namespace {
enum FieldType : uint8_t { Int, Size, Bytes };

/// Field of CUDA `First` to `Last`, `Count` elements of a type. Each element
/// takes one attribute, or 0 where `Number` is 0.
struct Field {
  FieldType Type;
  uint16_t Count;
  int16_t Number;
  uint8_t First = 11, Last = 99;
};
} // namespace

// Consecutive elements of an array take consecutive attributes.
static constexpr Field Fields[] = {
    {Bytes, 256, 0},      // name
    {Bytes, 16, 0},       // uuid
    {Bytes, 8, 0},        // luid
    {Int, 1, 0},          // luidDeviceNodeMask
    {Size, 1, -1},        // totalGlobalMem
    {Size, 1, 8},         // sharedMemPerBlock
    {Int, 1, 12},         // regsPerBlock
    {Int, 1, 10},         // warpSize
    {Size, 1, 11},        // memPitch
    {Int, 1, 1},          // maxThreadsPerBlock
    {Int, 3, 2},          // maxThreadsDim
    {Int, 3, 5},          // maxGridSize
    {Int, 1, 13, 11, 12}, // clockRate
    {Size, 1, 9},         // totalConstMem
    {Int, 2, 75},         // major, minor
    {Size, 1, 14},        // textureAlignment
    {Size, 1, 51},        // texturePitchAlignment
    {Int, 1, 15, 11, 12}, // deviceOverlap
    {Int, 1, 16},         // multiProcessorCount
    {Int, 1, 17, 11, 12}, // kernelExecTimeoutEnabled
    {Int, 1, 18},         // integrated
    {Int, 1, 19},         // canMapHostMemory
    {Int, 1, 20, 11, 12}, // computeMode
    {Int, 1, 21},         // maxTexture1D
    {Int, 1, 77},         // maxTexture1DMipmap
    {Int, 1, 69, 11, 12}, // maxTexture1DLinear
    {Int, 2, 22},         // maxTexture2D
    {Int, 2, 73},         // maxTexture2DMipmap
    {Int, 3, 70},         // maxTexture2DLinear
    {Int, 2, 45},         // maxTexture2DGather
    {Int, 3, 24},         // maxTexture3D
    {Int, 3, 47},         // maxTexture3DAlt
    {Int, 1, 52},         // maxTextureCubemap
    {Int, 2, 42},         // maxTexture1DLayered
    {Int, 3, 27},         // maxTexture2DLayered
    {Int, 2, 53},         // maxTextureCubemapLayered
    {Int, 14, 55},        // maxSurface1D to maxSurfaceCubemapLayered
    {Size, 1, 30},        // surfaceAlignment
    {Int, 2, 31},         // concurrentKernels, ECCEnabled
    {Int, 2, 33},         // pciBusID, pciDeviceID
    {Int, 1, 50},         // pciDomainID
    {Int, 1, 35},         // tccDriver
    {Int, 2, 40},         // asyncEngineCount, unifiedAddressing
    {Int, 1, 36, 11, 12}, // memoryClockRate
    {Int, 2, 37},         // memoryBusWidth, l2CacheSize
    {Int, 1, 108},        // persistingL2CacheMaxSize
    {Int, 1, 39},         // maxThreadsPerMultiProcessor
    {Int, 3, 78},         // streamPrioritiesSupported, global and local L1
    {Size, 1, 81},        // sharedMemPerMultiprocessor
    {Int, 1, 82},         // regsPerMultiprocessor
    {Int, 3, 83},         // managedMemory, isMultiGpuBoard, group
    {Int, 1, 86},         // hostNativeAtomicSupported
    {Int, 1, 87, 11, 12}, // singleToDoublePrecisionPerfRatio
    {Int, 4, 88},         // pageable, concurrentManaged, preemption, registered
    {Int, 1, 95},         // cooperativeLaunch
    {Int, 1, 96, 11, 12}, // cooperativeMultiDeviceLaunch
    {Size, 1, 97},        // sharedMemPerBlockOptin
    {Int, 2, 100},        // pageable by host page tables, direct managed access
    {Int, 1, 106},        // maxBlocksPerMultiProcessor
    {Int, 1, 109},        // accessPolicyMaxWindowSize
    {Size, 1, 111},       // reservedSharedMemPerBlock
    {Int, 1, 99, 12},     // hostRegisterSupported
    {Int, 8, 112, 12},    // sparse arrays to memoryPoolSupportedHandleTypes
    {Int, 1, 121, 12},    // deferredMappingCudaArraySupported
    {Int, 1, 125, 12},    // ipcEventSupported
    {Int, 1, 120, 12},    // clusterLaunch
    {Int, 1, 0, 12},      // unifiedFunctionPointers
    {Int, 63, 0, 12, 12}, // reserved
    {Int, 2, 130, 13},    // deviceNumaConfig, deviceNumaId
    {Int, 2, 133, 13},    // mpsEnabled, hostNumaId
    {Int, 2, 139, 13},    // gpuPciDeviceID, gpuPciSubsystemID
    {Int, 1, 143, 13},    // hostNumaMultinodeIpcSupported
    {Int, 56, 0, 13},     // reserved
};

/// "Echo CPU device", and what it stands for where that was asked for.
static void putName(char *At, size_t Bytes) {
  if (const char *Device = deviceName())
    snprintf(At, Bytes, "Echo CPU device (%s)", Device);
  else
    snprintf(At, Bytes, "Echo CPU device");
}

static size_t elementSize(FieldType Type) {
  return Type == Int ? sizeof(int) : Type == Size ? sizeof(size_t) : 1;
}

static void putElement(char *At, const Field &F, unsigned Index) {
  int Attribute = 0;
  if (F.Number > 0)
    attributeByNumber(F.Number + Index, Attribute);
  if (F.Type == Int)
    memcpy(At, &Attribute, sizeof(Attribute));
  if (F.Type == Bytes)
    *At = 0;
  if (F.Type != Size)
    return;
  size_t Value = F.Number < 0 ? config().MemoryBytes : size_t(Attribute);
  memcpy(At, &Value, sizeof(Value));
}

static void fill(char *Out, unsigned Version) {
  size_t Offset = 0;
  for (const Field &F : Fields) {
    if (Version < F.First || Version > F.Last)
      continue;
    size_t Bytes = elementSize(F.Type);
    Offset = (Offset + Bytes - 1) / Bytes * Bytes;
    for (unsigned I = 0; I != F.Count; ++I, Offset += Bytes)
      putElement(Out + Offset, F, I);
  }
  putName(Out, 256);
  // A fixed identity: "ECHO" and the device's number.
  memcpy(Out + 256, "ECHO", 4);
}

static cudaError_t getProperties(void *Out, int Device, unsigned Version) {
  return api([&] {
    if (!Out)
      return cudaErrorInvalidValue;
    if (!isDevice(Device))
      return cudaErrorInvalidDevice;
    fill(static_cast<char *>(Out), Version);
    return cudaSuccess;
  });
}

extern "C" {

cudaError_t cudaGetDeviceProperties(void *Out, int Device) {
  return getProperties(Out, Device, ECHO_CUDA_VERSION >= 13000 ? 13 : 11);
}
cudaError_t cudaGetDeviceProperties_v2(void *Out, int Device) {
  return getProperties(Out, Device, 12);
}

} // extern "C"
