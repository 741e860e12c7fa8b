// Objects on the heap from a function that returns null for no bytes, filled and freed
// by others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

struct Vector {
  float *data, *device;
  int size, owns;
};

char *allocate(int count, int size) {
  char *block = nullptr;
  if (count * size > 0) {
    block = (char *)calloc(count, size);
    if (!block)
      printf("out of memory\n");
  }
  return block;
}
void release(char *block) {
  if (block)
    free(block);
}
Vector *create(int size) {
  Vector *v = (Vector *)allocate(1, sizeof(Vector));
  v->size = size;
  v->owns = 1;
  return v;
}
void initialize(Vector *v, int seed) {
  if (!v->data)
    v->data = (float *)allocate(v->size, sizeof(float));
  fill(v->data, v->size, seed);
  CHECK(cudaMalloc(&v->device, Bytes));
}
void destroy(Vector *v) {
  if (!v)
    return;
  if (v->owns)
    release((char *)v->data);
  cudaFree(v->device);
  release((char *)v);
}

int main() {
  for (int i = 0; i < 3; ++i) {
    Vector *v = create(N);
    initialize(v, i);
    CHECK(cudaMemcpy(v->device, v->data, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(v->device, N, 1.0f);
    CHECK(cudaMemcpy(v->data, v->device, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(v->data, N));
    destroy(v);
  }
}
