// One of two host buffers is freed early, both are by the end. The download may
// go to either, so it leaves what each of them held.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da unified
// EXPECT: hb db declined device-write-live-host
// ARGS:
// ARGS: 1
#include "e2e.h"

int main(int argc, char **argv) {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *da, *db;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  fill(ha, N, 1);
  fill(hb, N, 2);
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  float *early = argc > 1 ? ha : hb, *late = argc > 1 ? hb : ha;
  free(early);
  scale<<<Blocks, Threads>>>(da, db, N, 3.0f);
  CHECK(cudaMemcpy(late, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(late, N));
  free(late);
  cudaFree(argc > 1 ? da : db);
  cudaFree(argc > 1 ? db : da);
}
