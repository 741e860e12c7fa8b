// A host buffer that grows: whatever echort answered last, the device buffer
// joins none that is gone, and an asynchronous copy of pageable memory waits if
// there was any block.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O0 -mllvm -echo-share-calls=false -S -emit-llvm %s -o - | FileCheck %s
#include "../../Inputs/case.h"

// CHECK-LABEL: define {{.*}}grows
// CHECK: %[[PARTNER:.*]] = alloca ptr
// CHECK: %[[BLOCK:.*]] = alloca ptr
// CHECK: %[[NEW:[0-9]+]] = call noalias ptr @echort_acquire(ptr @echo.group, i32 0,
// CHECK-NEXT: %[[IS:[0-9]+]] = icmp ne ptr %[[NEW]], null
// CHECK-NEXT: %[[OLD:[0-9]+]] = load ptr, ptr %[[BLOCK]]
// CHECK-NEXT: %[[ANY:[0-9]+]] = select i1 %[[IS]], ptr %[[NEW]], ptr %[[OLD]]
// CHECK-NEXT: store ptr %[[ANY]], ptr %[[BLOCK]]
// CHECK: store ptr %[[MORE:[0-9]+]], ptr %[[PARTNER]]
// CHECK: %[[LAST:[0-9]+]] = load ptr, ptr %[[PARTNER]]
// CHECK-NEXT: %[[FREED:[0-9]+]] = icmp eq ptr %[[LAST]], %[[H:[a-z.0-9]+]]
// CHECK-NEXT: %[[LEFT:[0-9]+]] = select i1 %[[FREED]], ptr null, ptr %[[LAST]]
// CHECK-NEXT: store ptr %[[LEFT]], ptr %[[PARTNER]]
// CHECK-NEXT: call i32 @echort_release(i32 0, ptr %[[H]])
// CHECK: %[[D:[0-9]+]] = call ptr @echort_acquire(ptr @echo.group, i32 1, {{.*}}, ptr %{{[0-9]+}}, i32 0)
// CHECK: %[[BOTH:[0-9]+]] = select i1 %{{[0-9]+}}, ptr %[[D]],
// CHECK-NEXT: store ptr %[[BOTH]], ptr %[[BLOCK]]
// CHECK: call i32 @echort_linking_copy(ptr @echo.group, i32 66,
// CHECK: call i32 @cudaMemcpyAsync(
// CHECK: load ptr, ptr %[[BLOCK]]
float grows(size_t n, int end, cudaStream_t s) {
  float *h = nullptr, *d;
  for (int i = 0; i < end; ++i) {
    float *more = (float *)malloc(n * sizeof(float));
    free(h);
    h = more;
    h[0] = i;
  }
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);
  update<<<1, 1, 0, s>>>(d);
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cudaFree(d);
  float seen = h[1];
  free(h);
  return seen;
}
