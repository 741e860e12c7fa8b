// Which copies have a size for --estimate: those whose bytes are a constant. Each has a twin of which only run time knows.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O2 --estimate --report r.txt -c a.cu -DN='1 << 20' && FileCheck --check-prefixes=ALL,CONSTANT --input-file=r.txt %s
// RUN: %echo_cc -w -O2 --estimate --report r.txt -c a.cu -DN=n && FileCheck --check-prefixes=ALL,VARIES --input-file=r.txt %s
// Buffers in variables that other code can reach.
// ALL: hidden + {{.*}} S3 pointer-escapes
// CONSTANT: {{^}}    estimate: 2.00 MiB per run of each copy{{$}}
// VARIES: {{^}}    estimate: 1.00 MiB per run of each copy; 1 of 2 copies of unknown size{{$}}
// A part in a loop: one run of the copy. Rows that are apart have no size.
// ALL: looped + {{.*}} declined
// CONSTANT: {{^}}    estimate: 1.00 MiB per run of each copy; 1 of 2 copies of unknown size{{$}}
// VARIES: {{^}}    estimate: size not known at compile time{{$}}
// A copy that may be of another pair.
// ALL: first + {{.*}} 1 copy removed ({{.*}} if of this pair)
// ALL-NEXT: {{^}}    estimate: size not known at compile time{{$}}
#include <cstdlib>
__global__ void use(float *d, size_t i) { d[threadIdx.x + i] += 1; }
void other();
float *hidden, *onDevice;
void reaches(size_t n) {
  hidden = (float *)malloc(4 << 20);
  cudaMalloc(&onDevice, 4 << 20);
  other();
  cudaMemcpy(onDevice, hidden, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(onDevice, 0);
  cudaMemcpy(hidden, onDevice, N, cudaMemcpyDeviceToHost);
}
void loops(size_t n, cudaStream_t s) {
  float *looped = (float *)malloc(4 << 20), *d;
  cudaMalloc(&d, 4 << 20);
  for (int i = 0; i < 4; ++i) {
    cudaMemcpyAsync(d + i * 64, looped + i * 64, N, cudaMemcpyHostToDevice, s);
    use<<<1, 64, 0, s>>>(d, i);
    looped[i] = 1;
  }
  cudaMemcpy2D(d, 512, looped, 512, 256, 2048, cudaMemcpyHostToDevice);
  free(looped);
  cudaFree(d);
}
void chooses(int which) {
  float *first = (float *)malloc(1 << 20), *second = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(d, which ? first : second, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, 0);
  cudaFree(d);
  free(first);
  free(second);
}
