// A function template for the device with specializations for other sides, as
// nvcc takes them. Other errors are told once, of the file as it is.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w --device=cpu -O1 %s -o %t && %t
// RUN: %precompiled_cc -w -arch=sm_90 -c %s -o %t.o
// RUN: %echo_cc -w -arch=sm_90 -save-temps=obj -c %s -o %t.o
// RUN: not %precompiled_cc -arch=sm_90 --cuda-device-only -fsyntax-only -DBLOCKED %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+23]]:2: warning: told once
// CHECK-NOT: warning:
// CHECK: :[[#@LINE+25]]:5: error: no member named 'Missing'
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DNONE %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: :[[#@LINE+29]]:28: error: no function template matches function template specialization 'stranger'
#include <cstdio>
#include <vector>

template <typename T, template <typename> class U = std::vector>
__device__ T value(T X) {
  return X + threadIdx.x;
}
template <> __host__ __device__ int value<int>(int X) { return X + 1; }
// Its body is the host's alone.
template <> double value<double>(double X) {
  return std::vector<double>(2, X).size() + X;
}
// And this one the device's.
template <> __device__ float value<float>(float X) {
  return X + blockDim.x;
}

#ifdef BLOCKED
#warning told once
struct Empty {
} E;
int bad() {
  E.Missing = 1;
}
#endif
#ifdef NONE
template <typename T> struct No;
template <typename T> __device__ T stranger(T *);
template <> __device__ int stranger<int>(int);
#endif

__global__ void work(float *Out) {
  Out[threadIdx.x] = value(value(1)) + value(2.f) + value(short(3));
}

int main() {
  float *D, H[2];
  cudaMalloc(&D, sizeof H);
  work<<<1, 2>>>(D);
  cudaMemcpy(H, D, sizeof H, cudaMemcpyDeviceToHost);
  printf("%g %g %d %g\n", H[0], H[1], value(3), value(1.5));
  return !(H[0] == 10 && H[1] == 11 && value(3) == 4 && value(1.5) == 3.5);
}
