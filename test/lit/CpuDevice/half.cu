// RUN: %echo_cc --device=cpu --no-unify -O0 -g -I%cuda/include/cccl %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 -I%cuda/include/cccl %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// fp16 and bf16 use inline PTX in CUDA's headers; cooperative groups too.
#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

__global__ void halves(float *O) {
  __half X = __float2half(1.5f), Y = __float2half(2.25f);
  __half2 P = __floats2half2_rn(1, 2), Q = __floats2half2_rn(3, 4);
  __nv_bfloat16 A = __float2bfloat16(1.0f), B = __float2bfloat16(2.5f);
  int I = 0;
  O[I++] = __half2float(__hadd(X, Y)), O[I++] = __half2float(X * Y);
  O[I++] = __half2float(__hfma(X, Y, X)), O[I++] = __half2float(hsqrt(Y));
  O[I++] = X < Y, O[I++] = __half2float(__hmax(X, Y));
  float2 F = __half22float2(__hmul2(P, Q));
  O[I++] = F.x, O[I++] = F.y;
  O[I++] = __half2int_rn(__float2half(2.6f)), O[I++] = __half2float(-X);
  O[I++] = __bfloat162float(A + B), O[I++] = __bfloat162float(__hmul(A, B));
  O[I++] = __heq(X, Y), O[I++] = __half2float(hfloor(__float2half(2.7f)));
  O[I++] = __bfloat162float(__float2bfloat16(3.14159f));
}
__global__ void groups(int *O) {
  auto Block = cg::this_thread_block();
  __shared__ int S[128];
  S[Block.thread_rank()] = Block.thread_rank();
  Block.sync();
  auto Warp = cg::tiled_partition<32>(Block);
  int V = S[127 - Block.thread_rank()];
  for (int K = Warp.size() / 2; K; K /= 2)
    V += Warp.shfl_down(V, K);
  if (Warp.thread_rank() == 0)
    atomicAdd(O, V);
  O[1 + Block.thread_rank()] =
      cg::tiled_partition<8>(Block).shfl(Block.thread_rank(), 3);
}

int main() {
  float *F = managed<float>(32);
  int *O = managed<int>(129);
  halves<<<1, 1>>>(F);
  const float Expected[] = {3.75, 3.375, 4.875, 1.5, 1, 2.25, 3,       8,
                            3,    -1.5,  3.5,   2.5, 0, 2,    3.140625};
  for (int I = 0; I != sizeof(Expected) / 4; ++I)
    CHECK(F[I] == Expected[I]);
  groups<<<1, 128>>>(O);
  CHECK(O[0] == 127 * 64 && O[21] == 19);
}
