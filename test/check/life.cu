// S4: which buffer belongs to which, and how long.
#include "cases.h"

CASE(partners) {
  int *h[2], *d[2];
  for (int i = 0; i < 2; ++i)
    h[i] = (int *)malloc(Bytes); // BAD: S4
  for (int i = 0; i < 2; ++i)
    cudaMalloc(&d[i], Bytes);
  for (int i = 0; i < 2; ++i) {
    fill(h[i], i);
    cudaMemcpy(d[i], h[i], Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(d[i]);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i)
    cudaMemcpy(h[bad ? 1 - i : i], d[i], Bytes, cudaMemcpyDeviceToHost); // BECAUSE
  printf("%d %d\n", h[0][1], h[1][1]);
  for (int i = 0; i < 2; ++i) {
    free(h[i]);
    cudaFree(d[i]);
  }
}

CASE(turns) {
  // One host buffer, a device buffer in each round.
  int *h = (int *)malloc(Bytes); // BAD: S1
  for (int i = 0; i < 3; ++i) {
    int *d;
    cudaMalloc(&d, Bytes);
    fill(h, i);
    cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(d);
    if (!bad)
      cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    cudaFree(d);
    printf("%d\n", h[1]); // BECAUSE
  }
  free(h);
}

CASE(reset) {
  int *h = (int *)malloc(Bytes); // BAD: S4
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  if (bad)
    cudaDeviceReset(); // BECAUSE
  printf("%d\n", h[1]);
  free(h);
  if (!bad)
    cudaFree(d);
}

CASE(reused_address) {
  // Memory that was a buffer, and is something else now.
  for (int i = 0; i < 2; ++i) {
    int *h = (int *)malloc(Bytes); // BAD: none
    int *d;
    cudaMalloc(&d, Bytes);
    fill(h, i);
    cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(d);
    free(h);
    int *other = (int *)malloc(Bytes);
    fill(other, 5);
    printf("%d\n", other[9]);
    free(other);
    cudaFree(d);
  }
}

// Both sides are made at one place.
#define BOTH(h, d)                                                             \
  int *h = (int *)malloc(Bytes), *d;                                           \
  cudaMalloc(&d, Bytes)

CASE(one_place) {
  BOTH(h, d); // BAD: S1
  BOTH(g, e);
  fill(h, 1);
  fill(g, 2);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(e, g, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  twice<<<N / 256, 256>>>(e);
  if (!bad)
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(g, e, Bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[1], g[1]); // BECAUSE
  free(h);
  free(g);
  cudaFree(d);
  cudaFree(e);
}

// What a helper allocates is of another pair at each call.
static void look(int *d, int from, bool late);

CASE(helper_of_two) {
  int *h = (int *)malloc(Bytes);
  int *d;
  int *e;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&e, Bytes); // BAD: S1
  for (int i = 0; i < 3; ++i) {
    fill(h, i);
    cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(e, d, Bytes, cudaMemcpyDeviceToDevice);
    look(d, i, false);
    look(e, i, bad && i == 1);
  }
  free(h);
  cudaFree(d);
  cudaFree(e);
}

static void look(int *d, int from, bool late) {
  int *h = (int *)malloc(Bytes);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  if (late)
    twice<<<N / 256, 256>>>(d);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; ++i)
    if (h[i] != from + i) // BECAUSE
      printf("%d is wrong\n", i);
  free(h);
}
