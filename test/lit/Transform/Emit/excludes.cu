// A copy that the host waits for, and that may fail: a wait stands behind it
// where either of the buffers that exclude each other merged.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O0 -fno-discard-value-names -S -emit-llvm %s -o %t.ll --report %t.txt
// RUN: FileCheck --input-file=%t.ll %s
// RUN: FileCheck --input-file=%t.txt --check-prefix=REPORT %s
#include "../../Inputs/case.h"

// REPORT: 3 pairs: 3 unified
// CHECK-LABEL: define {{.*}}either
// CHECK: call i32 @cudaMemcpy(ptr noundef %seen, ptr noundef %{{.*}}, i64 noundef 4, i32 noundef 2)
// CHECK-NEXT: %[[A:.*]] = load ptr, ptr %echo.block
// CHECK-NEXT: %[[X:.*]] = icmp ne ptr %[[A]], null
// CHECK-NEXT: %[[B:.*]] = load ptr, ptr %echo.block
// CHECK-NEXT: %[[Y:.*]] = icmp ne ptr %[[B]], null
// CHECK-NEXT: %[[ANY:.*]] = or i1 %[[X]], %[[Y]]
// CHECK-NEXT: br i1 %[[ANY]]
// CHECK: {{^}}}
void either(int n, float *given) {
  float *d, seen;
  if (n) {
    cudaMalloc(&d, Bytes);
    puts("one");
  } else {
    cudaMalloc(&d, Bytes);
  }
  float *h = (float *)malloc(Bytes);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 256>>>(d, nullptr);
  cudaMemcpy(&seen, given, 4, cudaMemcpyDeviceToHost);
  memset(h, 2, Bytes);
  LOOK;
  FREE;
}
// CHECK-LABEL: define {{.*}}alone
// CHECK: call i32 @cudaMemcpy(ptr noundef %seen, ptr noundef %{{.*}}, i64 noundef 4, i32 noundef 2)
// CHECK-NEXT: %[[A:.*]] = load ptr, ptr %echo.block
// CHECK-NEXT: %[[X:.*]] = icmp ne ptr %[[A]], null
// CHECK-NEXT: br i1 %[[X]]
// CHECK: {{^}}}
void alone(float *given) {
  float *d, seen;
  cudaMalloc(&d, Bytes);
  float *h = (float *)malloc(Bytes);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 256>>>(d, nullptr);
  cudaMemcpy(&seen, given, 4, cudaMemcpyDeviceToHost);
  memset(h, 2, Bytes);
  LOOK;
  FREE;
}
