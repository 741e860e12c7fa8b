// __managed__ variables: managed memory of the module in device code, an
// address that CUDA tells in host code. Their names still are symbols.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w --device=cpu -O0 %s -o %t && %t
// RUN: %precompiled_cc -w --device=cpu -O2 %s -o %t && %t
// RUN: %precompiled_cc -w --device=cpu -O2 -flto %s -o %t && %t
// RUN: %precompiled_cc -w --device=cpu -rdc=true %s -o %t && %t
// RUN: %precompiled_cc -w -arch=sm_90 -ptx %s -o %t.ptx
// RUN: FileCheck --check-prefix=PTX --input-file=%t.ptx %s
// PTX-DAG: .attribute(.managed) .align 16 .u32 Counter = 7;
// PTX-DAG: .attribute(.managed) .align 16 .b8 Squares[40];
// PTX-NOT: .attribute(.managed) {{.*}} Plain
// RUN: %echo_cc -w -arch=sm_90 -rdc=true -c -save-temps=obj %s -o %t.o
// RUN: not %precompiled_cc -w -arch=sm_90 -DBLOCKED -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: a static initializer holds the address of the __managed__ variable 'Counter'
#include <cstdio>
#include <cstring>
#define CHECK(Condition)                                                       \
  if (!(Condition))                                                            \
  return printf("%d: %s\n", __LINE__, #Condition)

__managed__ int Counter = 7;
__device__ int Plain;
__device__ __managed__ int Squares[10];
static __managed__ struct Both {
  int A, B;
} Pair = {1, 2};
__managed__ double *Pointer;
template <typename T> struct Four {
  T Values[4];
};
__managed__ Four<float> Fours;

__global__ void work() {
  Squares[threadIdx.x] = threadIdx.x * threadIdx.x;
  if (threadIdx.x == 0) {
    Plain = ++Counter;
    Pair.B += Counter;
    Fours.Values[2] = 1.5f;
    Pointer = (double *)7;
  }
}
__host__ __device__ int sum() { return Counter + Pair.A; }
#ifdef BLOCKED
int *Address = &Counter;
#endif

int main(int argc, char **) {
  CHECK(Counter == 7 && Pair.B == 2);
  Counter = 5;
  work<<<1, 10>>>();
  cudaDeviceSynchronize();
  CHECK(Counter == 6 && Pair.A == 1 && Pair.B == 8 && sum() == 7);
  int *Chosen = argc == 1 ? &Squares[3] : &Counter;
  CHECK(*Chosen == 9 && Fours.Values[2] == 1.5f && Pointer == (double *)7);
  int Value = 42;
  void *Where = nullptr;
  cudaMemcpyToSymbol(Counter, &Value, sizeof Value);
  cudaMemcpyFromSymbol(&Squares[4], Counter, sizeof Value);
  cudaGetSymbolAddress(&Where, Counter);
  CHECK(Counter == 42 && Squares[4] == 42 && Where == &Counter);
  cudaPointerAttributes Known;
  cudaPointerGetAttributes(&Known, &Counter);
  CHECK(Known.type == cudaMemoryTypeManaged);
  memset(Squares, 0, sizeof Squares);
  CHECK(Squares[4] == 0 && Squares[9] == 0);
}
