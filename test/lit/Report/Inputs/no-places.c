// A pair of a unit that another compiler made, without debug information.
#include <stdlib.h>
int cudaMalloc(void **, unsigned long);
int cudaMemcpy(void *, const void *, unsigned long, int);
int cudaFree(void *);
void run(float *);
void apart(void) {
  float *h = malloc(8192);
  void *d;
  h[0] = 1;
  cudaMalloc(&d, 8192);
  cudaMemcpy(d, h, 8192, 1);
  run(d);
  cudaFree(d);
  free(h);
}
