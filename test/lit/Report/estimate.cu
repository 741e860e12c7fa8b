// --estimate: what the copies of each pair move and take, and which declined pair to mend first.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu && cp %s b.cu
// Up: 10 us, and 0.1 ns a byte; down: 20 us, and 0.2 ns.
// RUN: printf 'echo-profile 1\ncopy H2D 65536 10000\ncopy H2D 1065536 110000\ncopy D2H 65536 20000\ncopy D2H 1065536 220000\nend\n' > rates
// RUN: %echo_cc -w -O2 --estimate=rates --report r.txt --report-json r.json -c a.cu -DMERGED -DSMALL -DVARIES -DLARGE -o a.o
// RUN: FileCheck --check-prefixes=PAIRS,TIME --input-file=r.txt %s && FileCheck --check-prefix=JSON --input-file=r.json %s
// Without rates it is by bytes, and says so.
// RUN: %echo_cc -w -O2 --estimate --report b.txt --report-json b.json -c a.cu -DMERGED -DSMALL -DVARIES -DLARGE
// RUN: FileCheck --check-prefixes=PAIRS,BYTES --input-file=b.txt %s --implicit-check-not=', in ' && FileCheck --check-prefix=JSON-BYTES --input-file=b.json %s
// Without the option there is nothing of it.
// RUN: %echo_cc -w -O2 --report n.txt --report-json n.json -c a.cu -DMERGED -DSMALL -DVARIES -DLARGE
// RUN: not grep -E 'estimate|mend' n.txt && not grep -E 'estimate|mend|ns' n.json
// Units share one ranking; a unit that is compiled again is in it once, and one without the option is not.
// RUN: %echo_cc -w -O2 --estimate=rates --report two.txt --report-json two.json -c a.cu -DSMALL && %echo_cc -w -O2 --estimate=rates --report two.txt --report-json two.json -c b.cu -DLARGE -o b.o
// RUN: %echo_cc -w -O2 --estimate=rates --report two.txt --report-json two.json -c a.cu -DSMALL -o small.o
// RUN: FileCheck --check-prefix=TWO --input-file=two.txt %s && FileCheck --check-prefix=JSON-TWO --input-file=two.json %s
// RUN: %echo_cc --report-of small.o b.o | FileCheck --check-prefix=TWO %s
// RUN: %echo_cc -w -O2 --estimate=rates --report - -c a.cu -DSMALL | FileCheck --check-prefix=ONE %s
// RUN: %echo_cc -w -O2 --report two.txt -c b.cu -DLARGE && FileCheck --check-prefix=ONE --input-file=two.txt %s
// A stream gets it once, after all units of the command.
// RUN: %echo_cc -w -O2 --estimate=rates --report - -c a.cu b.cu -DSMALL | FileCheck --check-prefix=STREAM %s
// A page has both, and takes another unit.
// RUN: %echo_cc -w -O2 --estimate=rates --report r.html -c a.cu -DSMALL && %echo_cc -w -O2 --estimate=rates --report r.html -c b.cu -DLARGE -DMERGED
// RUN: FileCheck --check-prefix=PAGE --input-file=r.html %s
// Where a link decides, the unit's option counts, and a relative name of the file.
// RUN: mkdir sub && %echo_cc -w -O2 -flto --device=cpu --estimate=rates --report sub/j.txt -c a.cu -DMAIN -DSMALL -o sub/a.o
// RUN: cd sub && %echo_cc -w -O2 -flto --device=cpu a.o -o app && FileCheck --check-prefix=ONE --input-file=j.txt %s
// PAIRS: {{^}}a.cu:[[#]]:{{.*}} unified
// TIME-NEXT: {{^}}    estimate: 1.88 MiB per run of each copy, in 0.272 ms{{$}}
// BYTES-NEXT: {{^}}    estimate: 1.88 MiB per run of each copy{{$}}
// PAIRS: declined   S2 host-write-in-flight
// PAIRS: {{^}}    try
// TIME-NEXT: {{^}}    estimate: 2.00 MiB per run of each copy, in 0.217 ms{{$}}
// BYTES-NEXT: {{^}}    estimate: 2.00 MiB per run of each copy{{$}}
// PAIRS: n*4 B {{.*}}declined
// PAIRS: {{^}}    estimate: size not known at compile time{{$}}
// PAIRS: declined
// TIME: {{^}}    estimate: 6.00 MiB per run of each copy, in 0.636 ms; 1 of 3 copies of unknown size{{$}}
// BYTES: {{^}}    estimate: 6.00 MiB per run of each copy; 1 of 3 copies of unknown size{{$}}
// PAIRS: # copies removed: 2
// TIME-NEXT: {{^}}# what to mend first, of pairs that stay two buffers, by the time of one run of each copy:{{$}}
// TIME-NEXT: {{^}}#   1. a.cu:[[#]]:{{[0-9]+}} large + a.cu:{{.*}} d: 6.00 MiB per run of each copy, in 0.636 ms; 1 of 3 copies of unknown size; S2 host-write-in-flight{{$}}
// TIME-NEXT: {{^}}#   2. a.cu:[[#]]:{{[0-9]+}} small + a.cu:{{.*}} d: 2.00 MiB per run of each copy, in 0.217 ms; S2 host-write-in-flight{{$}}
// TIME-NEXT: {{^}}#   3. a.cu:[[#]]:{{[0-9]+}} varies + a.cu:{{.*}} d: size not known at compile time; S2 host-write-in-flight{{$}}
// BYTES-NEXT: {{^}}# what to mend first, of pairs that stay two buffers, by bytes, as rates of copies are not known (--estimate=FILE):{{$}}
// BYTES-NEXT: {{^}}#   1. a.cu:{{.*}} large + {{.*}}; S2 host-write-in-flight{{$}}
// BYTES-NEXT: {{^}}#   2. a.cu:{{.*}} small + {{.*}}; S2 host-write-in-flight{{$}}
// BYTES-NEXT: {{^}}#   3. a.cu:{{.*}} varies + {{.*}}: size not known at compile time; S2 host-write-in-flight{{$}}
// JSON: "mend_first": {
// JSON-NEXT: "by": "time",
// JSON-NEXT: "pairs": [
// JSON-NEXT: {
// JSON-NEXT: "bytes": 6291456,
// JSON-NEXT: "copies": 3,
// JSON-NEXT: "ns": {{636038.*}},
// JSON-NEXT: "pair": 3,
// JSON-NEXT: "source": "a.cu",
// JSON-NEXT: "unknown": 1
// JSON: "pair": 1,
// JSON: "bytes": null,
// JSON-NEXT: "copies": 2,
// JSON-NEXT: "ns": null,
// JSON-NEXT: "pair": 2,
// JSON: "estimate": {
// JSON-NEXT: "bytes": 1966080,
// JSON-NEXT: "copies": 2,
// JSON-NEXT: "ns": {{272483.*}},
// JSON-NEXT: "unknown": 0
// JSON: "links": [
// JSON-NEXT: {
// JSON-NEXT: "bytes": 1310720,
// JSON: "bytes": 655360,
// JSON-BYTES: "by": "bytes",
// JSON-BYTES: "ns": null,
// TWO: {{^}}# what to mend first, {{.*}}:{{$}}
// TWO-NEXT: {{^}}#   1. b.cu:{{.*}} large
// TWO-NEXT: {{^}}#   2. a.cu:{{.*}} small
// TWO-NOT: {{^#.*}} mend
// TWO-NOT: {{^#  }}
// JSON-TWO: "by": "time",
// JSON-TWO: "source": "b.cu",
// JSON-TWO: "source": "a.cu",
// JSON-TWO: "units":
// ONE: {{^}}# what to mend first, {{.*}} by the time
// ONE-NEXT: {{^}}#   1. {{.*}}a.cu:{{.*}} small
// ONE-NOT: {{^#  }}
// STREAM: # unit a.cu
// STREAM-NOT: what to mend first
// STREAM: # unit b.cu
// STREAM: {{^}}# all 2 units: 2 pairs: 2 declined
// STREAM-NEXT: {{^}}# what to mend first,
// STREAM-NEXT: {{^}}#   1. a.cu:
// STREAM-NEXT: {{^}}#   2. b.cu:
// STREAM-NOT: what to mend first
// PAGE: <h2>Pairs to mend</h2>
// PAGE-NEXT: <p>what to mend first, of pairs that stay two buffers, by the time of one run of each copy:</p>
// PAGE-NEXT: <ol>
// PAGE-NEXT: <li><code>large</code> b.cu:{{[0-9:]+}} + <code>d</code> b.cu:{{[0-9:]+}}: 6.00 MiB per run of each copy, in 0.636 ms; 1 of 3 copies of unknown size, <b>host-write-in-flight</b></li>
// PAGE-NEXT: <li><code>small</code> a.cu:
// PAGE-NEXT: </ol>
// PAGE: <p>Copies: 2.00 MiB per run of each copy, in 0.217 ms</p>
// PAGE: <p>Copies: 1.88 MiB per run of each copy, in 0.272 ms</p>
#include <cstdlib>
__global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
#ifdef MERGED
void merges(int *y) {
  float *h = (float *)malloc(1310720), *d;
  cudaMalloc(&d, 1310720);
  cudaMemcpy(d, h, 1310720, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaMemcpy(h, d, 655360, cudaMemcpyDeviceToHost);
  cudaFree(d);
  free(h);
}
#endif
#ifdef SMALL
void declinesSmall(int *y, cudaStream_t s) {
  float *small = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(d, small, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  small[0] = 1;
  cudaMemcpy(d, small, 1 << 20, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(small);
}
#endif
#ifdef VARIES
void declinesUnknown(int *y, cudaStream_t s, size_t n) {
  float *varies = (float *)malloc(n * 4), *d;
  cudaMalloc(&d, n * 4);
  cudaMemcpy(d, varies, n * 4, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  varies[0] = 1;
  cudaMemcpy(d, varies, n * 4, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(varies);
}
#endif
#ifdef LARGE
void declinesLarge(int *y, cudaStream_t s, size_t part) {
  float *large = (float *)malloc(3 << 20), *d;
  cudaMalloc(&d, 3 << 20);
  cudaMemcpy(d, large, 3 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64, 0, s>>>(d, y);
  large[0] = 1;
  cudaMemcpy(d, large, 3 << 20, cudaMemcpyHostToDevice);
  cudaMemcpy(d, large, part, cudaMemcpyHostToDevice);
  cudaFree(d);
  free(large);
}
#endif
#ifdef MAIN
int main() { declinesSmall(nullptr, nullptr); }
#endif
