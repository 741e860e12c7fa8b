// Objects on the heap whose size and address show once what they depend on is
// computed.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

struct Vector {
  float *data, *onDevice;
  int size, owns;
  Vector *next;
};

static char *allocate(int count, int size) {
  int bytes = count * size;
  char *block = nullptr;
  if (bytes > 0) {
    block = (char *)calloc(count, size);
    if (!block)
      printf("out of memory\n");
  }
  return block;
}
static void release(char *block) {
  if (block)
    free(block);
}
static Vector *create(int size) {
  Vector *v = (Vector *)allocate(1, sizeof(Vector));
  v->size = size;
  v->owns = 1;
  return v;
}
static void destroy(Vector *v) {
  if (!v)
    return;
  if (v->owns)
    release((char *)v->data);
  cudaFree(v->onDevice);
  release((char *)v);
}

// OK: block + {{.*}} unified
// OK: block + {{.*}} unified
// BAD: block + {{.*}} declined S3 pointer-escapes
// BAD: block + {{.*}} declined S3 pointer-escapes

/// One that nobody else sees, made by functions that return null for no bytes.
Vector *last;
float fromWrapper() {
  Vector *v = create(Count);
  UNSAFE(last = v;)
  v->data = (float *)allocate(Count, sizeof(float));
  cudaMalloc(&v->onDevice, Bytes);
  cudaMemcpy(v->onDevice, v->data, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(v->onDevice);
  cudaMemcpy(v->data, v->onDevice, Bytes, cudaMemcpyDeviceToHost);
  float seen = v->data[0];
  destroy(v);
  return seen;
}

/// One in each round, of which the next round has none.
float inLoop(int rounds) {
  float seen = 0;
  Vector *before = nullptr;
  for (int i = 0; i < rounds; ++i) {
    Vector *v = create(Count);
    UNSAFE(v->next = before;)
    v->data = (float *)allocate(Count, sizeof(float));
    cudaMalloc(&v->onDevice, Bytes);
    cudaMemcpy(v->onDevice, v->data, Bytes, cudaMemcpyHostToDevice);
    update<<<1, 256>>>(v->onDevice);
    cudaMemcpy(v->data, v->onDevice, Bytes, cudaMemcpyDeviceToHost);
    seen += v->data[0];
    SAFE(destroy(v);)
    before = v;
  }
  UNSAFE(while (before) {
    Vector *v = before;
    before = v->next;
    destroy(v);
  })
  return seen;
}
