// The list is empty: nobody else finds the object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: None None unified
#include "e2e.h"

#include <list>

struct Job : std::__detail::_List_node_base {
  float *Host, *Device;
};
static std::__detail::_List_node_base All;

__attribute__((noinline)) static double total() {
  double Sum = 0;
  for (auto *At = All._M_next; At != &All; At = At->_M_next)
    Sum += sum(static_cast<Job *>(At)->Host, N);
  return Sum;
}

int main() {
  All._M_next = All._M_prev = &All;
  auto *J = new Job();
  J->Host = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&J->Device, Bytes));
  fill(J->Host, N, 1);
  CHECK(cudaMemcpy(J->Device, J->Host, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(J->Device, N, 3.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", total());
  CHECK(cudaMemcpy(J->Host, J->Device, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", total());
  cudaFree(J->Device);
  free(J->Host);
}
