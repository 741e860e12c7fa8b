// A kernel that launches a kernel: CUDA's device runtime is linked with it.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 %s -o once
// RUN: %precompiled_cc -w -dc -arch=sm_75 %s -o part.o
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 part.o -o twice
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
int main() {
  int *p;
  cudaMalloc(&p, sizeof(int));
  parent<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
