// cooperative_groups' clusters of blocks, which its headers give to nvcc only.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -arch=sm_90 -c %s -o %t.o
// RUN: %precompiled_cc -w -arch=sm_80 -DOLD -c %s -o %t.o
#include <cuda_runtime.h>
#if __CUDACC_VER_MAJOR__ >= 12
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#ifndef OLD
__global__ void __cluster_dims__(2, 1, 1) k(unsigned *o) {
  auto c = cg::this_cluster();
  __shared__ unsigned s;
  s = c.block_rank();
  c.sync();
  o[blockIdx.x] = *c.map_shared_rank(&s, 1 - c.block_rank());
  c.sync();
}
#else
__global__ void k(unsigned *o) { *o = cg::this_thread_block().thread_rank(); }
#endif
int main() { k<<<2, 1>>>(nullptr); }
#endif
