// Host code with OpenMP, compiled and linked apart as Makefiles for nvcc do: an
// architecture on the link line asks for no OpenMP offloading.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t
// RUN: %echo_cc --device=cpu -w -arch=sm_75 -O2 -Xcompiler -fopenmp -c %s -o %t/a.o
// RUN: %echo_cc --device=cpu -w -arch=sm_75 -O2 -Xcompiler -fopenmp %t/a.o -o %t/a
// RUN: %t/a | FileCheck %s
// RUN: %echo_cc -### -w -gencode=arch=compute_75,code=sm_75 -Xcompiler -fopenmp %t/a.o -o %t/a 2>&1 | FileCheck --check-prefix=LINK %s
// CHECK: 4950
// LINK-NOT: omptarget
#include <cstdio>
__global__ void kernel() {}
int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i)
    sum += i;
  kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
