// Pairs that the analysis cannot prove safe, and that the run shows to be; and
// what a run cannot follow.
#include "cases.h"
#include <vector>

// Any other unit may use them.
struct State {
  int *host, *device;
} state;

CASE(hidden_pointers) {
  state.host = (int *)malloc(Bytes); // BAD: S1
  cudaMalloc(&state.device, Bytes);
  fill(state.host, 1);
  cudaMemcpy(state.device, state.host, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(state.device);
  cudaDeviceSynchronize();
  if (bad)
    printf("%d\n", state.host[1]); // BECAUSE
  cudaMemcpy(state.host, state.device, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", state.host[1]);
  free(state.host);
  cudaFree(state.device);
}

CASE(one_way) {
  // Safe with these inputs, not with all.
  int *h = (int *)malloc(Bytes); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  cudaDeviceSynchronize();
  if (getenv("NEVER_SET") || bad)
    printf("%d\n", h[2]); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}

CASE(vectors) {
  std::vector<int> h(N); // BAD: S1
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h.data(), 1);
  cudaMemcpy(d, h.data(), Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(d);
  cudaDeviceSynchronize();
  if (bad)
    printf("%d\n", h[2]); // BECAUSE
  cudaMemcpy(h.data(), d, Bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", h.back());
  cudaFree(d);
}

extern "C" int mystery(const int *);
#ifndef WITHOUT_MYSTERY
CASE(unknown) {
  int *h = (int *)malloc(Bytes); // BAD: not-followed
  int *d;
  cudaMalloc(&d, Bytes);
  fill(h, 1);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  if (bad)
    printf("%d\n", mystery(h)); // BECAUSE
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}
#endif
