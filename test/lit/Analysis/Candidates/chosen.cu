// Copies of which a side is one of several buffers, where no other copy says
// which belong together.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -c %s
#include "../../Inputs/case.h"

// Both exist. One merges, and the copy from the other one still runs. It would
// destroy what the host reads of the first one later.
// OK: [[#@LINE+4]]:24 {{.*}} + {{.*}}:[[#@LINE+13]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+14]]:3 H2D if of this pair), 1 wait kept at [[#@LINE+14]]:3
// OK-NOT: declined
// BAD: [[#@LINE+12]]:3, [[#@LINE+37]]:3, [[#@LINE+69]]:3, [[#@LINE+71]]:3 4 copies stay: a side is one of several buffers, and no other copy says which belong together
void up(int which) {
  float *h1 = (float *)malloc(Bytes), *h2 = (float *)malloc(Bytes), *h = h1;
  memset(h1, 2, Bytes);
  if (which) {
    memset(h2, 1, Bytes);
    h = h2;
  }
  float *d;
  // d comes behind what fills the host's buffers.
  fputs("filled", stdout);
  cudaMalloc(&d, Bytes);
  UP;
  UNSAFE(fwrite(h1, 1, Bytes, stdout); fwrite(h2, 1, Bytes, stdout);)
  cudaFree(d);
  free(h1);
  free(h2);
}

// Results of buffers that change places. The host reads what it had in theirs
// before they come, or not.
// OK: [[#@LINE+4]]:{{[0-9]+}} out + {{.*}}:[[#@LINE+9]]:3 two {{.*}} unified 1 copy removed ([[#@LINE+16]]:3 D2H if of this pair)
// The line about copies that stay has the other report's.
void down(int n) {
  float *h = (float *)malloc(Bytes), *d; if (cudaMalloc(&d, Bytes)) exit(1);
  float *out = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  memset(out, 0, Bytes);
  UP;
  float *two;
  cudaMalloc(&two, Bytes);
  for (int i = 0; i < n; ++i) {
    update<<<1, 256>>>(d);
    writeOnly<<<1, 256>>>(two);
    float *old = d; d = two; two = old;
  }
  UNSAFE(fwrite(out, 1, Bytes, stdout);)
  cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);
  fwrite(out, 1, Bytes, stdout);
  cudaFree(two);
  FREE;
  free(out);
}

// One of two is allocated: then the other one stands in no copy's way. Or one is
// always there, and what the download does not overwrite is read.
#ifdef BLOCKED
#define ELSE
#else
#define ELSE else
#endif
// OK-DAG: [[#@LINE+9]]:{{[0-9]+}} made + {{.*}}:[[#@LINE+17]]:3 d {{.*}} unified 2 copies removed
// OK-DAG: [[#@LINE+12]]:{{[0-9]+}} given + {{.*}}:[[#@LINE+16]]:3 d {{.*}} unified 2 copies removed
// OK: 6 pairs: 6 unified
// The line about copies that stay has the other report's.
// The line about copies that stay has the other report's.
// BAD: 2 pairs: 2 unified
void either(int which) {
  float *h, *d, *made;
  SAFE(if (!which)) {
    made = (float *)calloc(Count, sizeof(float));
    h = made;
  }
  ELSE if (which) {
    float *given = (float *)malloc(Bytes);
    h = given;
  }
  memset(h, 1, Bytes);
  cudaMalloc(&d, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  fwrite(h, 1, Bytes, stdout);
  UNSAFE(fwrite(made, 1, Bytes, stdout);)
  cudaFree(d);
  free(h);
}

// Pinned or pageable: the host waits for an asynchronous copy of the one kind and
// not of the other, and what is left of the copy is the same for both. Only the
// pinned one merges: of the other cudaFreeHost might be asked, and fail.
void kinds(int which) {
  float *h, *d;
  if (which) {
    cudaMallocHost((void **)&h, Bytes);
    cudaMalloc(&d, Bytes);
    puts("pinned");
  } else {
    h = (float *)malloc(Bytes);
    cudaMalloc(&d, Bytes);
  }
  memset(h, 1, Bytes);
  SAFE(UP;)
  UNSAFE(cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, 0);)
  update<<<1, 256>>>(d);
  DOWN;
  fwrite(h, 1, Bytes, stdout);
  cudaFree(d);
  if (which)
    cudaFreeHost(h);
  else
    free(h);
}
