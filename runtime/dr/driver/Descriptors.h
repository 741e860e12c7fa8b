//===- Descriptors.h - Structures that the driver's calls point to -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leading parts of CUDA_MEMCPY2D, CUDA_MEMCPY3D(_PEER), CUgraphNodeParams,
// CUlaunchConfig and of what tells of other memory that Echo reads, as CUDA 11
// to 13 lay them out; a unit test compares them with cuda.h and cudaEGL.h.
// Declared here so that libecho-dr.so builds without a toolkit.
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
  NodeEventRecord = 7,
  NodeMemAlloc = 10,
  NodeMemFree = 11
};

/// CUDA_MEM_ALLOC_NODE_PARAMS. The driver fills in Device.
struct AllocNodeParams {
  uint64_t PoolProps[11];
  const void *Access;
  size_t AccessCount, Bytes;
  uint64_t Device;
};

struct NodeParams { // CUgraphNodeParams
  uint32_t Type;
  uint32_t Reserved[3];
  union {
    struct { // CUDA_MEMCPY_NODE_PARAMS
      int32_t Flags, Reserved;
      void *Context;
      Shape3D Copy;
    } Memcpy;
    AllocNodeParams Alloc;
    uint64_t Freed; // CUDA_MEM_FREE_NODE_PARAMS
  };
};

inline constexpr uint32_t ResourceLinear = 2, ResourcePitch2D = 3;

struct ResourceDesc { // CUDA_RESOURCE_DESC, of linear memory
  uint32_t Type;
  uint64_t Device;
};

/// CUlaunchAttributeID, of those that name a buffer or an event.
enum : uint32_t {
  AttributeWindow = 1,
  AttributeProgrammaticEvent = 7,
  AttributeCompletionEvent = 12
};

struct LaunchAttribute { // CUlaunchAttribute
  uint32_t Id, Pad;
  union {
    uint64_t Window; // accessPolicyWindow.base_ptr
    uint64_t Event;  // programmaticEvent.event, launchCompletionEvent.event
    uint64_t Value[8];
  };
};

struct LaunchConfig { // CUlaunchConfig
  uint32_t Grid[3], Block[3], Shared;
  void *Stream;
  const LaunchAttribute *Attributes;
  uint32_t NumAttributes;
};

struct MappedRegion { // CUDA_EXTERNAL_MEMORY_BUFFER_DESC
  unsigned long long Offset, Bytes;
};

inline constexpr uint32_t FramePitch = 1; // CU_EGL_FRAME_TYPE_PITCH

struct EglFrame { // CUeglFrame
  uint64_t Plane[3];
  uint32_t Width, Height, Depth, Pitch, PlaneCount, NumChannels, Type;
};

struct IpcHandle { // CUipcMemHandle, CUipcEventHandle
  char Reserved[64];
};

} // namespace echo::dr

#endif
