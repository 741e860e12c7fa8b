// A SARIF log is as the standard wants it, whatever its pairs and files are.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p "%t/a b" && cd %t && cp %s "a b/c#.cu" && cp %s c:d.cu && cp %s e.cu
// RUN: %echo_cc -w -O2 --min-bytes=5K --report r.sarif -c "a b/c#.cu" -o o.o
// RUN: %echo_cc -w -O2 --min-bytes=5K --report r.sarif -c c:d.cu -o o.o
// RUN: %echo_cc -w -O2 --min-bytes=5K --report r.sarif -fdebug-compilation-dir=/nowhere -c %t/e.cu -o o.o
// RUN: python3 -B %S/Inputs/check-sarif.py 12 r.sarif | FileCheck --check-prefix=VALID %s
// RUN: FileCheck --input-file=r.sarif %s
// Where no place is known, the program stands for it.
// RUN: %clang22 -O2 -flto -c %S/Inputs/no-places.c -o no-places.o && %echo_cc -w -O2 -flto --device=cpu -DMAIN -c e.cu -o e.o
// RUN: %echo_cc -w -O2 -flto --device=cpu --min-bytes=5K --report lto.sarif e.o no-places.o -o lto
// RUN: python3 -B %S/Inputs/check-sarif.py 5 lto.sarif && FileCheck --check-prefix=LTO --input-file=lto.sarif %s
// A log without results is one, too.
// RUN: echo 'int x;' > none.cu && %echo_cc -w --report none.sarif -c none.cu -o o.o && python3 -B %S/Inputs/check-sarif.py 0 none.sarif
// The check finds what is wrong.
// RUN: sed 's|"uri": "a%%20b|"uri": "a b|; s|"kind": "pass"|"kind": "fail"|; s|"startLine": [0-9]*|"startLine": 0|' r.sarif > bad.sarif
// RUN: not python3 -B %S/Inputs/check-sarif.py 13 bad.sarif | FileCheck --check-prefix=BAD %s
// VALID: 12 results, {{[0-9]+}} rules: SARIF 2.1.0
// CHECK-DAG: "uri": "a%20b/c%23.cu"
// CHECK-DAG: "uri": "c%3Ad.cu"
// CHECK-DAG: "uri": "file:///{{.*}}/e.cu"
// CHECK-DAG: "ruleId": "host-write-in-flight"
// CHECK-DAG: "ruleId": "unified"
// CHECK-DAG: "ruleId": "guarded"
// CHECK-DAG: "ruleId": "skipped"
// LTO: "uri": "lto"
// BAD-DAG: results: 12, not 13
// BAD-DAG: 'a b/c%23.cu' is no URI of a file
// BAD-DAG: fail does not go with none
// BAD-DAG: startLine is 0
#include <cstdlib>
__global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
void declined(int *y, cudaStream_t s) {
  float *h = (float *)malloc(8192), *d;
  cudaMalloc(&d, 8192);
  cudaMemcpy(d, h, 8192, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  h[0] = 1;
  cudaMemcpy(d, h, 8192, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(h);
}
void unified(int *y) {
  float *h = (float *)malloc(8192), *d;
  cudaMalloc(&d, 8192);
  cudaMemcpy(d, h, 8192, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(h);
}
void guarded(int *y, size_t n, size_t m) {
  float *h = (float *)malloc(n), *d;
  cudaMalloc(&d, m);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(h);
}
void skipped(int *y) {
  float *h = (float *)malloc(4096), *d;
  cudaMalloc(&d, 4096);
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(h);
}
#ifdef MAIN
extern "C" void apart();
extern "C" void run(float *d) { use<<<1, 64>>>(d, (int *)d); }
int main() {
  apart();
  declined(nullptr, 0);
  unified(nullptr);
  guarded(nullptr, 1, 1);
  skipped(nullptr);
}
#endif
