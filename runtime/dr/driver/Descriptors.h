//===- Descriptors.h - Structures that the driver's calls point to -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leading parts of CUDA_MEMCPY2D, CUDA_MEMCPY3D(_PEER), CUgraphNodeParams
// and CUlaunchConfig that Echo reads, as CUDA 11 to 13 lay them out; a unit
// test compares them with cuda.h. Declared here so that libecho-dr.so builds
// without a toolkit.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DRIVER_DESCRIPTORS_H
#define ECHO_RUNTIME_DR_DRIVER_DESCRIPTORS_H

#include <stddef.h>
#include <stdint.h>

namespace echo::dr {

enum MemoryType : uint32_t { TypeHost = 1, TypeDevice, TypeArray, TypeUnified };

struct Shape2D { // CUDA_MEMCPY2D_v2
  size_t SrcX, SrcY;
  uint32_t SrcType;
  const void *SrcHost;
  uint64_t SrcDevice;
  void *SrcArray;
  size_t SrcPitch;
  size_t DstX, DstY;
  uint32_t DstType;
  void *DstHost;
  uint64_t DstDevice;
  void *DstArray;
  size_t DstPitch;
  size_t Width, Height;
};

/// CUDA_MEMCPY3D_v2, and CUDA_MEMCPY3D_PEER with contexts in Reserved.
struct Shape3D {
  size_t SrcX, SrcY, SrcZ, SrcLod;
  uint32_t SrcType;
  const void *SrcHost;
  uint64_t SrcDevice;
  void *SrcArray;
  void *SrcReserved;
  size_t SrcPitch, SrcHeight;
  size_t DstX, DstY, DstZ, DstLod;
  uint32_t DstType;
  void *DstHost;
  uint64_t DstDevice;
  void *DstArray;
  void *DstReserved;
  size_t DstPitch, DstHeight;
  size_t Width, Height, Depth;
};

inline constexpr uint32_t NodeMemcpy = 1; // CU_GRAPH_NODE_TYPE_MEMCPY
enum : uint32_t {
  NodeKernel = 0,
  NodeMemset = 2,
  NodeHost = 3,
  NodeGraph = 4,
  NodeEmpty = 5,
  NodeWaitEvent = 6,
  NodeEventRecord = 7
};

struct NodeParams { // CUgraphNodeParams
  uint32_t Type;
  uint32_t Reserved[3];
  struct { // CUDA_MEMCPY_NODE_PARAMS
    int32_t Flags, Reserved;
    void *Context;
    Shape3D Copy;
  } Memcpy;
};

inline constexpr uint32_t ResourceLinear = 2, ResourcePitch2D = 3;

struct ResourceDesc { // CUDA_RESOURCE_DESC, of linear memory
  uint32_t Type;
  uint64_t Device;
};

struct LaunchConfig { // CUlaunchConfig
  uint32_t Grid[3], Block[3], Shared;
  void *Stream;
};

} // namespace echo::dr

#endif
