#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <new>
int main() {
  int *p = nullptr;
  std::puts(cudaMalloc(&p, 4) == std::max(cudaSuccess, cudaSuccess) ? "allocated"
                                                                    : "failed");
}
