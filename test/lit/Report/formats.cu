// By the ending of its name a report is a page, or SARIF.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O2 --min-bytes=1 --report r.html -c a.cu
// RUN: FileCheck --check-prefix=PAGE --input-file=r.html %s
// RUN: %echo_cc -w -O2 --min-bytes=1 --report r.sarif -c a.cu
// RUN: FileCheck --check-prefix=SARIF --input-file=r.sarif %s
// RUN: %echo_cc -w -O2 --min-bytes=1 --report r.html --report-json r.json -c a.cu -DNONE
// RUN: FileCheck --check-prefix=AGAIN --input-file=r.html %s
#include <cstdlib>
__global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
void f(int *y, cudaStream_t s) {
#ifndef NONE
  float *h = (float *)malloc(4096), *d;
  cudaMalloc(&d, 4096);
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  h[0] = 1;
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(h);
#endif
}
// PAGE: <!doctype html>
// PAGE: 1 pair <span class="tag declined">1 declined</span>
// PAGE: <code>host-write-in-flight</code>
// PAGE: <b>{{ *}}18 {{ *}}h[0] = 1;</b>
// SARIF: "kind": "fail"
// SARIF: "level": "note"
// SARIF: "uri": "a.cu"
// SARIF: "startLine": 14
// SARIF: "ruleId": "host-write-in-flight"
// AGAIN: <p>0 pairs</p>
// AGAIN: No copy links
