// The last lines of a report add up what its units say of copies: the bytes that each removed one moved when it ran.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu && cp %s b.cu && cp %s c.cu
// RUN: %echo_cc -w -O2 --report r.txt --report-json r.json -c a.cu -DFIXED -o a.o
// RUN: FileCheck --check-prefix=ONE --input-file=r.txt %s && FileCheck --check-prefix=JSON-ONE --input-file=r.json %s
// RUN: %echo_cc -w -O2 --report r.txt --report-json r.json -c b.cu -DFIXED -DVARIES -DCHOSEN
// RUN: FileCheck --check-prefix=TWO --input-file=r.txt %s && FileCheck --check-prefix=JSON-TWO --input-file=r.json %s
// RUN: %echo_cc -w -O2 --report r.html -c a.cu -DFIXED && %echo_cc -w -O2 --report r.html -c b.cu -DFIXED -DVARIES -DCHOSEN
// RUN: FileCheck --check-prefix=PAGE --input-file=r.html %s
// A unit that is compiled again counts once; what objects carry adds up to the same.
// RUN: %echo_cc -w -O2 --report r.txt -c b.cu -DVARIES && FileCheck --check-prefix=AGAIN --input-file=r.txt %s
// RUN: %echo_cc --report-of a.o b.o | FileCheck --check-prefix=AGAIN %s
// A stream gets them once, after all units of the command: where these are compiled, and where a link decides about them.
// RUN: %echo_cc -w -O2 --report - -c a.cu -DFIXED | FileCheck --check-prefix=ONE %s
// RUN: %echo_cc -w -O2 --report - -c a.cu b.cu -DVARIES -DFIXED | FileCheck --check-prefixes=UNITS,STREAM %s
// RUN: %echo_cc -w -O2 --report /dev/stderr -c a.cu b.cu -DVARIES -DFIXED 2>&1 | FileCheck --check-prefixes=UNITS,STREAM %s
// RUN: %echo_cc -w -O2 --report - -c a.cu c.cu -DDECLINED | FileCheck --check-prefix=ALL %s
// RUN: %echo_cc -w -O2 --report - -### -c a.cu -DFIXED 2>/dev/null | count 0
// RUN: not %echo_cc -w -O2 --report - -c a.cu no.cu -DFIXED 2>/dev/null | count 0
// RUN: %echo_cc -w -O2 -flto --device=cpu --report - a.cu -DVARIES -DMAIN -o app | FileCheck --check-prefix=JOINED %s
// Where no copy has a known size, or none is removed.
// RUN: %echo_cc -w -O2 --report c.txt --report-json c.json -c c.cu -DVARIES && FileCheck --check-prefix=NOSIZE --input-file=c.txt %s
// RUN: %echo_cc -w -O2 --report d.txt --report-json d.json -c c.cu -DDECLINED && not grep 'copies removed' d.txt
// RUN: FileCheck --check-prefix=JSON-NONE --input-file=d.json %s
// A copy that may be of two merged pairs is one.
// RUN: %echo_cc -w --device=cpu --report e.txt --report-json e.json -c %S/../Analysis/Candidates/chosen.cu -o e.o
// RUN: FileCheck --check-prefix=SHARED --input-file=e.txt %s && FileCheck --check-prefix=JSON-SHARED --input-file=e.json %s
// ONE: 1 pair: 1 unified{{$}}
// ONE-NEXT: {{^}}# copies removed: 3; 2.5 MiB per run of each, 1 of unknown size{{$}}
// ONE-NOT: copies removed:
// JSON-ONE: "removed": {
// JSON-ONE-NEXT: "bytes": 2621440,
// JSON-ONE-NEXT: "copies": 3,
// JSON-ONE-NEXT: "unknown": 1
// TWO: {{^}}# all 2 units: 4 pairs: 4 unified{{$}}
// TWO-NEXT: {{^}}# copies removed: 8; 5.0 MiB per run of each, 4 of unknown size{{$}}
// TWO-NOT: copies removed:
// JSON-TWO: "removed": {
// JSON-TWO-NEXT: "bytes": 5242880,
// JSON-TWO-NEXT: "copies": 8,
// JSON-TWO-NEXT: "unknown": 4
// PAGE: <p>copies removed: 8; 5.0 MiB per run of each, 4 of unknown size</p>
// AGAIN: {{^}}# copies removed: 4; 2.5 MiB per run of each, 2 of unknown size{{$}}
// AGAIN-NOT: copies removed:
// UNITS: {{^}}# unit a.cu
// UNITS-NOT: # copies
// UNITS: {{^}}# unit b.cu
// STREAM: {{^}}2 pairs: 2 unified{{$}}
// STREAM-NEXT: {{^}}# all 2 units: 4 pairs: 4 unified{{$}}
// STREAM-NEXT: {{^}}# copies removed: 8; 5.0 MiB per run of each, 4 of unknown size{{$}}
// STREAM-NEXT: {{^# link with echo-cc.*$}}
// STREAM-NOT: {{.}}
// ALL: {{^}}# all 2 units: 2 pairs: 2 declined; declined for {{.*}} 2{{$}}
// ALL-NOT: copies removed
// JOINED: {{^}}# unit app
// JOINED: {{^}}# copies removed: 1 of unknown size{{$}}
// JOINED-NOT: {{.}}
// NOSIZE: {{^}}# copies removed: 1 of unknown size{{$}}
// SHARED: {{^}}# copies removed: 7; 1.0 MiB per run of each, 6 of unknown size{{$}}
// JSON-SHARED: "bytes": 1048576,
// JSON-SHARED-NEXT: "copies": 7,
// JSON-NONE: "removed": {
// JSON-NONE-NEXT: "bytes": 0,
// JSON-NONE-NEXT: "copies": 0,
// JSON-NONE-NEXT: "unknown": 0
#include <cstdlib>
__global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
#ifdef FIXED
void fixed(int *y) {
  float *h = (float *)malloc(1310720), *d;
  cudaMalloc(&d, 1310720);
  cudaMemcpy(d, h, 1310720, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaMemcpy(h, d, 1310720, cudaMemcpyDeviceToHost);
  cudaMemcpy(h, d, 655360, cudaMemcpyDeviceToHost);
  cudaFree(d);
  free(h);
}
#endif
#ifdef VARIES
void varies(int *y, size_t n) {
  float *h = (float *)malloc(n * 4), *d;
  cudaMalloc(&d, n * 4);
  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(h);
}
#endif
#ifdef MAIN
int main() { varies(nullptr, 1 << 20); }
#endif
#ifdef CHOSEN
void chosen(int *y, int which) {
  float *a = (float *)malloc(1 << 20), *b = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(d, which ? a : b, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(a);
  free(b);
}
#endif
#ifdef DECLINED
void declined(int *y, cudaStream_t s) {
  float *h = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  h[0] = 1;
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(h);
}
#endif
