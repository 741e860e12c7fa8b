// Device code may have pure virtual functions, with one or several units.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -c %s -o %t.one.o
// RUN: %precompiled_cc -w -fgpu-rdc -c %s -o %t.a.o
// RUN: %precompiled_cc -w -fgpu-rdc -DOTHER -c %s -o %t.b.o
// RUN: %precompiled_cc -w -fgpu-rdc %t.a.o %t.b.o -o %t
// RUN: %precompiled_cc -w --cuda-device-only -S %s -o - | FileCheck %s
// CHECK: .weak .func __cxa_pure_virtual
#ifdef OTHER
#define k other
#define Base OtherBase
#define Next OtherNext
#endif
struct Base {
  __device__ virtual ~Base() {}
  __device__ virtual int f(int X) = 0;
};
struct Next : Base {
  __device__ int f(int X) override { return X + 1; }
};
static __device__ __attribute__((noinline)) int call(Base *B, int X) {
  return B->f(X);
}
__global__ void k(int *P) {
  Base *B = new Next;
  *P = call(B, *P);
  delete B;
}
#ifndef OTHER
int main() { return 0; }
#endif
