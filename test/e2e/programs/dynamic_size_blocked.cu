// The two sizes are run-time values; they turn out different, and the pair stays apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx guarded
#include "e2e.h"

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : N;
  int room = argc > 2 ? atoi(argv[2]) : 2 * N;
  float *hx = (float *)malloc(room * sizeof(float));
  float *dx;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  fill(hx, room, 1);
  CHECK(cudaMemcpy(dx, hx, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<(n + 127) / 128, 128>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx, dx, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, room));
  cudaFree(dx);
  free(hx);
}
