// As zerocopy_send, but without the flag.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <sys/socket.h>
#include <unistd.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx, seen[16] = {};
  int ends[2];
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return 1;
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  bool sent = send(ends[0], hx, sizeof(seen), 0) == sizeof(seen);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  bool came = recv(ends[1], seen, sizeof(seen), 0) == sizeof(seen);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %d %.0f %.0f\n", sent, came, sum(seen, 16), sum(hx, N));
  cudaFree(dx);
  free(hx);
}
