// Each pair has a declined twin of its class that differs in one thing.
// RUN: %echo_survey %s --csv - | FileCheck %s --implicit-check-not=candidate
#include <cuda_runtime.h>
#include <stdlib.h>
#include <vector>

// Whole buffers, by one size that is written in two ways.
void whole(int n) {
  float *h = (float *)malloc(n * sizeof(float)), *d;
  const size_t bytes = sizeof(float) * n;
  cudaMalloc(&d, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, 4 * n, cudaMemcpyDeviceToHost);
}
// CHECK: Survey,candidate,full,h,malloc,pairs.cu,9,d,cudaMalloc,pairs.cu,9,4*whole#0,1,1,0,0,0,0,2

// Half of it, and a begin that is not the buffer's.
void half(int n) {
  float *hh = new float[2 * n], *dh, *ho = new float[n], *dof;
  cudaMalloc(&dh, 2 * n * sizeof(float));
  cudaMalloc(&dof, n * sizeof(float));
  cudaMemcpy(dh, hh, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dof + 1, ho, n * sizeof(float), cudaMemcpyHostToDevice);
}
// CHECK: candidate,partial,hh,new[],{{.*}},dh,cudaMalloc
// CHECK: candidate,partial,ho,new[],{{.*}},dof,cudaMalloc

// Streams, pinned memory, loops, containers, arrays.
void others(int n, cudaStream_t s) {
  float *hp, *da, *dv, *ds, on_stack[16];
  std::vector<float> hv(n);
  cudaMallocHost(&hp, n * sizeof(float));
  cudaMalloc(&da, n * sizeof(float));
  cudaMallocAsync(&dv, n * sizeof(float), s);
  cudaMalloc(&ds, sizeof(on_stack));
  for (int i = 0; i < 3; ++i)
    cudaMemcpyAsync(da, hp, n * sizeof(float), cudaMemcpyHostToDevice, s);
  do { cudaMemcpy(hv.data(), dv, hv.size() * sizeof(float), cudaMemcpyDeviceToHost); } while (0);
  cudaMemcpy(ds, on_stack, sizeof(on_stack), cudaMemcpyDefault);
}
// CHECK: candidate,full,hp,pinned,{{.*}},da,cudaMalloc,{{.*}},1,0,1,1,0,0,1
// CHECK: candidate,full,hv,vector,{{.*}},dv,cudaMallocAsync,{{.*}},0,1,0,0,0,0,1
// CHECK: candidate,full,on_stack,stack-array,{{.*}},ds,cudaMalloc,{{.*}},64,1,0,0,0,0,0,1

// No candidates: managed memory, zero-copy memory, one variable, a buffer that
// comes from outside, and copies between buffers of one side.
void none(float *given, int n) {
  float *hm, *dm, *hz, *dz, *view, one, *dn, *dg, *d1, *d2;
  hm = (float *)malloc(4);
  cudaMallocManaged(&dm, 4);
  cudaMemcpy(dm, hm, 4, cudaMemcpyHostToDevice);
  cudaHostAlloc(&hz, 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&view, hz, 0);
  cudaMalloc(&dz, 4);
  cudaMemcpy(dz, hz, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&dn, 4);
  cudaMemcpy(&one, dn, 4, cudaMemcpyDeviceToHost);
  cudaMalloc(&dg, 4);
  cudaMemcpy(dg, given, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&d1, 4);
  cudaMalloc(&d2, 4);
  cudaMemcpy(d2, d1, 4, cudaMemcpyDeviceToDevice);
}
// CHECK: shared,full,hm,malloc,{{.*}},dm,managed
// CHECK: shared,full,hz,zero-copy,{{.*}},dz,cudaMalloc
// CHECK: value,full,one,value,{{.*}},dn,cudaMalloc
// CHECK: open,unclear,given,passed-in,{{.*}},dg,cudaMalloc
// CHECK-NOT: d2,
