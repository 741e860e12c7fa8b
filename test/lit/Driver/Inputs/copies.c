/* A C source that calls a function of another file without its parameters. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned char first();
int main(void) {
  size_t bytes = 1 << 20;
  unsigned char *h = malloc(bytes);
  void *d;
  cudaMalloc(&d, bytes);
  memset(h, 1, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  cudaMemset(d, 7, bytes);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", first(h));
  free(h);
  cudaFree(d);
}
