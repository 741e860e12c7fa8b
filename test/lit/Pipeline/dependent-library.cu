// What `#pragma comment(lib, ...)` names is for other systems' linkers: GCC and
// GNU's linkers leave it, and so does a link with -flto. `-l` holds as ever.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc --device=cpu -w -flto %s -o %t && %t
// RUN: not %echo_cc --device=cpu -w -flto %s -lecho_is_not_there -o %t 2>&1 | FileCheck %s
// CHECK: unable to find library -lecho_is_not_there
#pragma comment(lib, "echo_is_not_there_either.lib")
__global__ void k(int *P) { *P = 7; }
int main() {
  int *D, H = 0;
  cudaMalloc(&D, sizeof H);
  k<<<1, 1>>>(D);
  cudaMemcpy(&H, D, sizeof H, cudaMemcpyDeviceToHost);
  return H == 7 ? 0 : 1;
}
