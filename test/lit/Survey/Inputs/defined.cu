#include <size.h>
#include <cuda_runtime.h>
int main() {
  char *h = (char *)malloc(SIZE), *d;
  cudaMalloc(&d, SIZE);
#ifdef UPLOAD
  cudaMemcpy(d, h, SIZE, cudaMemcpyHostToDevice);
#endif
}
