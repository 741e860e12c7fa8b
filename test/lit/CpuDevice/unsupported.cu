// RUN: not %echo_cc --device=cpu --no-unify -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %echo_cc --device=cpu --no-unify -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %echo_cc --device=cpu --no-unify -O0 -g -c %s -o %t.o 2>&1 | FileCheck --check-prefix=PLACE %s
// RUN: not ls %t.o
// RUN: %echo_cc --device=cpu --no-unify -DONLY_UNUSED -c %s -o %t.o
// REQUIRES: cuda-toolkit, cpu-device
__device__ void initBarrier(int P) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(P));
}
__device__ void spins(int *P) {
  asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(P) : "memory");
}
__device__ void unused() { asm volatile("foo.bar;"); }
__device__ int missing(int);
__global__ void kernel(int *P, cudaTextureObject_t T) {
#ifndef ONLY_UNUSED
  initBarrier(3);
  spins(P);
  float4 Step = make_float4(1, 0, 0, 0);
  P[1] = texCubemapGrad<int>(T, 1, 2, 3, Step, Step);
  bool Resident;
  P[3] = tex2D<int>(T, 1, 2, &Resident);
  P[2] = missing(3);
#endif
}
// CHECK-NOT: foo.bar
// CHECK-DAG: error: {{.*}}the inline PTX "mbarrier.init.shared.b64 [%0], 1;" in {{.*}}kernel 'kernel(int*, unsigned long long)'{{.*}} is not supported on the CPU device; use a CUDA function instead, or compile with --device=cuda
// CHECK-DAG: error: {{.*}}the inline PTX "red.release.gpu.global.add.s32 [%0], 1;" in
// CHECK-DAG: error: {{.*}}the texture or surface instruction 'tex.grad.cube.v4.s32.f32' in {{.*}}kernel 'kernel(int*, unsigned long long)'
// CHECK-DAG: error: {{.*}}the texture or surface instruction 'tex.2d.v4.s32.f32' in {{.*}}kernel 'kernel(int*, unsigned long long)'
// CHECK-DAG: error: {{.*}}a call of 'missing(int)', which this file does not define, in kernel 'kernel(int*, unsigned long long)' is not supported on the CPU device; define it in this file or compile with -fgpu-rdc
// PLACE: unsupported.cu:8:{{[0-9]+}}: error: the inline PTX
