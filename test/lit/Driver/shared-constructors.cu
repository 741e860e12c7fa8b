// A __shared__ variable of a class with a constructor, which never runs, as in
// nvcc. What the program wrote itself as initializer stays an error.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w --device=cpu -O0 %s -o %t && %t
// RUN: %precompiled_cc -w --device=cpu -O2 %s -o %t && %t
// RUN: %echo_cc -w -arch=sm_90 -std=c++17 -DBARRIER -c -save-temps=obj %s -o %t.o
// RUN: %precompiled_cc -w -arch=sm_90 -rdc=true -ptx %s -o - | FileCheck --check-prefix=PTX %s
// PTX-DAG: .weak .shared .align 4 .b8 _ZZ9templatedI5ThreeEvPiE3One[4];
// PTX-DAG: .weak .shared .align 4 .b8 _ZZ9templatedI5ThreeEvPiE3One_0[4];
// PTX-NOT: _ZN5ThreeC1Ev
// RUN: not %precompiled_cc -w --device=cpu -fsyntax-only -DINIT='(4)' %s 2>&1 | FileCheck %s
// RUN: not %precompiled_cc -w --device=cpu -fsyntax-only -DINIT='{4}' %s 2>&1 | FileCheck %s
// RUN: not %precompiled_cc -w --device=cpu -fsyntax-only -DINIT='= Three(4)' %s 2>&1 | FileCheck %s
// CHECK: error: initialization is not supported for __shared__ variables
// RUN: not %precompiled_cc -w --device=cpu -fsyntax-only -DCAPTURE='=' %s 2>&1 | FileCheck --check-prefix=COPY %s
// COPY: error: 'Own' is a __shared__ variable with a constructor, which echo-cc cannot use in a lambda that copies its captures
#include <cstdio>
#ifdef BARRIER
#include <cuda/barrier>
#include <cuda/pipeline>
__global__ void barrier(int *O) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Barrier;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> State;
  if (threadIdx.x == 0)
    init(&Barrier, blockDim.x);
  __syncthreads();
  Barrier.arrive_and_wait();
  O[threadIdx.x] = 1;
}
#endif
#ifndef INIT
#define INIT
#endif
#ifndef CAPTURE
#define CAPTURE &
#endif

struct Three {
  int Value;
  __device__ Three() : Value(3) {}
  __device__ Three(int V) : Value(V) {}
  __device__ ~Three() { Value = -1; }
};

template <typename T> __global__ void templated(int *O) {
  __shared__ T Many[2];
  if (threadIdx.x == 0)
    Many[1] = T(5);
  {
    __shared__ T One;
    One.Value = 7;
    O[0] = One.Value;
  }
  {
    __shared__ T One;
    One.Value = 8;
    O[1] = One.Value;
  }
  __syncthreads();
  O[2] = Many[1].Value;
}
struct Holder {
  __device__ int *place() {
    __shared__ Three Own INIT;
    auto Address = [CAPTURE] { return &Own.Value; };
    return const_cast<int *>(Address());
  }
};
template <typename T> __global__ void known(int *O) {
  __shared__ Three Fixed;
  Holder H;
  if (threadIdx.x == 0)
    *H.place() = Fixed.Value = 9;
  __syncthreads();
  // One variable for all threads.
  atomicAdd(&Fixed.Value, 1);
  __syncthreads();
  O[3] = Fixed.Value;
  O[4] = *H.place();
}

int main() {
  int *D, H[5];
  cudaMalloc(&D, sizeof H);
  templated<Three><<<1, 32>>>(D);
  known<int><<<1, 32>>>(D);
  cudaMemcpy(H, D, sizeof H, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", H[0], H[1], H[2], H[3], H[4]);
  return !(H[0] == 7 && H[1] == 8 && H[2] == 5 && H[3] == 41 && H[4] == 9);
}
