//===- CudaByOps.h - CUDA as echort's code finds it here -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort's memory, pool and pinning serve libecho-dr.so as well. There they
// must not name functions that this library itself exports: this header, which
// comes before theirs, gives the functions of runtime/rt/CudaDecls.h other
// names, and CudaByOps.cpp asks the interposer that the program uses.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_CUDABYOPS_H
#define ECHO_RUNTIME_DR_OPTIMIZE_CUDABYOPS_H

#define cudaGetDevice echo_dr_cudaGetDevice
#define cudaSetDevice echo_dr_cudaSetDevice
#define cudaDeviceGetAttribute echo_dr_cudaDeviceGetAttribute
#define cudaDriverGetVersion echo_dr_cudaDriverGetVersion
#define cudaDeviceSynchronize echo_dr_cudaDeviceSynchronize
#define cudaPeekAtLastError echo_dr_cudaPeekAtLastError
#define cudaGetLastError echo_dr_cudaGetLastError
#define cudaMemGetInfo echo_dr_cudaMemGetInfo
#define cudaMallocManaged echo_dr_cudaMallocManaged
#define cudaHostAlloc echo_dr_cudaHostAlloc
#define cudaHostRegister echo_dr_cudaHostRegister
#define cudaHostUnregister echo_dr_cudaHostUnregister
#define cudaHostGetDevicePointer echo_dr_cudaHostGetDevicePointer
#define cudaPointerGetAttributes echo_dr_cudaPointerGetAttributes
#define cudaFree echo_dr_cudaFree
#define cudaFreeHost echo_dr_cudaFreeHost
#define cudaMemcpy echo_dr_cudaMemcpy
#define cudaStreamIsCapturing echo_dr_cudaStreamIsCapturing
#define cudaThreadExchangeStreamCaptureMode                                    \
  echo_dr_cudaThreadExchangeStreamCaptureMode
#define cudaStreamQuery echo_dr_cudaStreamQuery
#define cudaStreamSynchronize echo_dr_cudaStreamSynchronize
#define cudaEventCreateWithFlags echo_dr_cudaEventCreateWithFlags
#define cudaEventDestroy echo_dr_cudaEventDestroy
#define cudaEventRecord echo_dr_cudaEventRecord
#define cudaEventSynchronize echo_dr_cudaEventSynchronize
#define cudaStreamWaitEvent echo_dr_cudaStreamWaitEvent

// Huge pages would make a large buffer of which little is used resident.
#define madvise echo_dr_madvise

#endif
