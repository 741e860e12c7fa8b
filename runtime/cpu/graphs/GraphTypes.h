//===- GraphTypes.h - CUDA's ABI of graphs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures and numbers of CUDA's graph functions, as CUDA 12 and 13 lay
// them out. Decides nothing. It must never be included together with CUDA's own
// headers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_GRAPHTYPES_H
#define ECHO_RUNTIME_CPU_GRAPHS_GRAPHTYPES_H

#include "runtime/cpu/CudaTextureTypes.h"
#include "runtime/cpu/CudaTypes.h"

extern "C" {

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

enum cudaStreamCaptureMode : int {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus : int {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};
enum : unsigned {
  cudaStreamAddCaptureDependencies = 0,
  cudaStreamSetCaptureDependencies = 1,
  cudaEventRecordExternal = 1,
  cudaEventWaitExternal = 1,
};

enum cudaGraphNodeType : int {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
};

struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};

struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
};
struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void *userData;
};

/// The parameters of any node, for cudaGraphAddNode.
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct {
      void *func;
      unsigned gridDim[3], blockDim[3];
      unsigned sharedMemBytes;
      void **kernelParams;
      void **extra;
    } kernel;
    struct {
      int flags;
      int reserved[3];
      cudaMemcpy3DParms copyParams;
    } memcpy;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
    struct {
      cudaGraph_t graph;
      int ownership;
    } graph;
    struct {
      cudaEvent_t event;
    } event;
  };
  long long reserved2;
};
static_assert(sizeof(cudaGraphNodeParams) == 256);

enum : unsigned long long {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4,
  cudaGraphInstantiateFlagUseNodePriority = 8,
};
enum cudaGraphInstantiateResult : int {
  cudaGraphInstantiateSuccess = 0,
  cudaGraphInstantiateError = 1,
  cudaGraphInstantiateInvalidStructure = 2,
};
struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  cudaGraphInstantiateResult result_out;
};

enum cudaGraphExecUpdateResult : int {
  cudaGraphExecUpdateSuccess = 0,
  cudaGraphExecUpdateError = 1,
  cudaGraphExecUpdateErrorTopologyChanged = 2,
  cudaGraphExecUpdateErrorNodeTypeChanged = 3,
  cudaGraphExecUpdateErrorFunctionChanged = 4,
  cudaGraphExecUpdateErrorParametersChanged = 5,
  cudaGraphExecUpdateErrorNotSupported = 6,
  cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
  cudaGraphExecUpdateErrorAttributesChanged = 8,
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode;
  cudaGraphNode_t errorFromNode;
};

} // extern "C"

#endif
