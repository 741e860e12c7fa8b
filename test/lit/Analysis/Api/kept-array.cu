// A library that reads device pointers out of a host array and keeps each
// (cuDNN's graph API): each launch and library call behind that may use them.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*.txt
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o --model=%echo_source/models/cudnn.model --report
// RUN: %{cc} %t.ok.txt && FileCheck --input-file=%t.ok.txt --check-prefix=OK %s
// RUN: %{cc} %t.stream.txt -DSTREAM && FileCheck --input-file=%t.stream.txt --check-prefix=OK %s
// RUN: %{cc} %t.other.txt -DSTREAM -DOTHER && FileCheck --input-file=%t.other.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.early.txt -DEARLY && FileCheck --input-file=%t.early.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.live.txt -DLIVE && FileCheck --input-file=%t.live.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.host.txt -DHOST && FileCheck --input-file=%t.host.txt --check-prefix=ESCAPES %s
// RUN: %{cc} %t.heap.txt -DHEAP && FileCheck --input-file=%t.heap.txt --check-prefix=OK %s
// RUN: %{cc} %t.back.txt -DBACK && FileCheck --input-file=%t.back.txt --check-prefix=ESCAPES %s
// RUN: %{cc} %t.thread.txt -DTHREADS && FileCheck --input-file=%t.thread.txt --check-prefix=ESCAPES %s
// OK: h + {{.*}} unified
// EARLY: h + {{.*}} declined S2 host-write-in-flight
// LIVE: h + {{.*}} declined S1 device-write-live-host
// ESCAPES: h + {{.*}} declined S3 pointer-escapes
#include "Inputs/library.h"

int main() {
  cudnnHandle_t handle;
  cudnnBackendDescriptor_t graph, plan, pack;
  float *x, *d;
  float *h = (float *)malloc(Bytes);
  cudaMalloc(&d, Bytes);
  cudaMalloc(&x, Bytes);
  memset(h, 0, Bytes);
  UP;
  cudnnCreate(&handle);
#ifdef STREAM
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudnnSetStream(handle, stream);
#endif
  // The plan: its attributes hold no buffers.
  int64_t size = 0, found = 0;
  cudnnBackendCreateDescriptor(15, &graph);
  cudnnBackendSetAttribute(graph, 800, 0, 1, &handle);
  cudnnBackendFinalize(graph);
  cudnnBackendCreateDescriptor(11, &plan);
  cudnnBackendSetAttribute(plan, 400, 0, 1, &handle);
  cudnnBackendFinalize(plan);
  cudnnBackendGetAttribute(plan, 402, 3, 1, &found, &size);
  // The buffers.
  int64_t ids[2] = {'x', 'd'};
#ifdef HEAP
  void **pointers = (void **)malloc(2 * sizeof(void *));
  pointers[0] = x;
  pointers[1] = d;
#elif defined HOST
  void *pointers[2] = {x, h};
#else
  void *pointers[2] = {x, d};
#endif
  cudnnBackendCreateDescriptor(16, &pack);
  cudnnBackendSetAttribute(pack, 1001, 6, 2, pointers);
  cudnnBackendSetAttribute(pack, 1000, 3, 2, ids);
  cudnnBackendFinalize(pack);
  cudnnBackendExecute(handle, plan, pack);
#ifdef STREAM
#ifdef OTHER
  cudaStreamSynchronize(other);
#else
  cudaStreamSynchronize(stream);
#endif
#elif !defined EARLY
  cudaDeviceSynchronize();
#endif
#ifdef BACK
  void *kept[2];
  cudnnBackendGetAttribute(pack, 1001, 6, 2, &found, kept);
  cudaMemcpy(h, kept[1], Bytes, cudaMemcpyDeviceToHost);
#endif
#ifndef LIVE
  memset(h, 1, Bytes);
#endif
  UP;
  cudnnBackendExecute(handle, plan, pack);
#ifndef LIVE
  DOWN;
#endif
  cudaDeviceSynchronize();
  printf("%g\n", h[0]);
  cudnnBackendDestroyDescriptor(pack);
  cudaFree(d);
  free(h);
}
#ifdef THREADS
void elsewhere();
void __attribute__((constructor)) before() { elsewhere(); }
#endif
