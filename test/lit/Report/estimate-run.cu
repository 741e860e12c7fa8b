// --estimate-run: what the copies of each pair took in a measured run, where the line of a copy is one copy of one pair.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu && python3 -B %S/Inputs/measured-run.py %echo_run a.cu > run.json
// RUN: %echo_cc -w -O2 --estimate-run=run.json --report r.txt --report-json r.json -c a.cu -o a.o
// RUN: FileCheck --check-prefix=MEASURED --input-file=r.txt %s && FileCheck --check-prefix=JSON --input-file=r.json %s
// RUN: %echo_cc -w -O2 --estimate-run=run.json --report r.html -c a.cu && FileCheck --check-prefix=PAGE --input-file=r.html %s
// Objects carry it; with rates the pairs that are not measured are ranked by time.
// RUN: %echo_cc --report-of a.o | FileCheck --check-prefix=MEASURED %s
// RUN: printf 'copy H2D 1 1\ncopy H2D 2 2\ncopy D2H 1 1\ncopy D2H 2 2\n' > rates
// RUN: %echo_cc -w -O2 --estimate=rates --estimate-run=run.json --report - -c a.cu | FileCheck --check-prefix=RATES %s
// Where a link decides, the unit's option counts, and a relative name of the file.
// RUN: mkdir sub && %echo_cc -w -O2 -flto --device=cpu --estimate-run=run.json --report sub/j.txt -c a.cu -DMAIN -o sub/a.o
// RUN: cd sub && %echo_cc -w -O2 -flto --device=cpu a.o -o app && FileCheck --check-prefix=MEASURED --input-file=j.txt %s && cd ..
// A source that is newer than the program that ran says nothing; without the option there is nothing of it.
// RUN: sed 's/"built_ns": [0-9]*/"built_ns": 1/' run.json > old.json
// RUN: %echo_cc -w -O2 --estimate-run=old.json --report - -c a.cu | FileCheck --check-prefix=OLD %s --implicit-check-not=' an iteration:'
// RUN: %echo_cc -w -O2 --estimate --report n.txt --report-json n.json -c a.cu && not grep -E 'measured|others_by' n.txt n.json
// MEASURED: a.cu:[[#]]:{{[0-9]+}} known {{.*}} declined
// MEASURED: {{^}}    estimate: 3.00 MiB per run of each copy
// MEASURED-NEXT: {{^}}    measured: 3 copies an iteration: 4.00 MiB in 0.400 ms; without them the loop is at most 1.25 times as fast{{$}}
// MEASURED: {{ }}lines {{.*}} declined
// MEASURED: {{^}}    measured: 1 copy an iteration: 1.00 MiB in 0.100 ms; without them the loop is at most 1.11 times as fast; 1 of 2 copies not measured (several copies or pairs share the line: [[#]]:3){{$}}
// MEASURED: {{ }}other {{.*}} declined
// MEASURED: {{^}}    measured: not measured (no copy there in the loop of the run: [[#]]:3; several copies or pairs share the line: [[#]]:61){{$}}
// MEASURED: {{ }}helped {{.*}} declined
// MEASURED: {{^}}    measured: 2 copies an iteration: 2.00 MiB in 0.900 ms; without them the loop is at most 2.00 times as fast{{$}}
// MEASURED: {{ }}one {{.*}} declined
// MEASURED: {{^}}    measured: not measured (no copy there in the loop of the run: [[#]]:3; several copies or pairs share the line: [[#]]:3){{$}}
// MEASURED: {{ }}two {{.*}} declined
// MEASURED: {{^}}    measured: not measured (no copy there in the loop of the run: [[#]]:3; several copies or pairs share the line: [[#]]:3){{$}}
// MEASURED: {{ }}kind {{.*}} declined
// MEASURED: {{^}}    measured: not measured (in a template: [[#]]:3, [[#]]:3){{$}}
// MEASURED: {{^}}# what to mend first, of pairs that stay two buffers, by the measured time of an iteration, then those not measured, by
// MEASURED-NEXT: {{^}}#   1. {{.*}} helped + {{.*}}: 2 copies an iteration: 2.00 MiB in 0.900 ms; without them the loop is at most 2.00 times as fast; S1
// MEASURED-NEXT: {{^}}#   2. {{.*}} known + {{.*}}: 3 copies an iteration: 4.00 MiB in 0.400 ms; without them the loop is at most 1.25 times as fast; S1
// MEASURED-NEXT: {{^}}#   3. {{.*}} lines + {{.*}}: 1 copy an iteration: 1.00 MiB in 0.100 ms; without them the loop is at most 1.11 times as fast; 1 of 2 copies not measured ({{.*}}); S1
// MEASURED-NEXT: {{^}}#   4. {{.*}} other + {{.*}}: 2.00 MiB per run of each copy{{.*}}; S1
// RATES: {{^}}# what to mend first, {{.*}}, by the measured time of an iteration, then those not measured, by the time of one run of each copy:{{$}}
// OLD: known {{.*}} declined
// OLD: {{^}}    measured: not measured (the source is newer than the program that ran: [[#]]:3, [[#]]:3){{$}}
// OLD: {{^}}# what to mend first, of pairs that stay two buffers, by bytes,
// JSON: "mend_first": {
// JSON-NEXT: "by": "measured",
// JSON-NEXT: "others_by": "bytes",
// JSON: "ns": null,
// JSON-NEXT: "ns_per_iteration": 900000,
// JSON-NEXT: "pair": 3,
// JSON: "measured": {
// JSON-NEXT: "bytes_per_iteration": 4194304,
// JSON-NEXT: "copies": 2,
// JSON-NEXT: "copies_per_iteration": 3,
// JSON-NEXT: "loop_fraction": 0.2{{0*1?}},
// JSON-NEXT: "not_measured": [],
// JSON-NEXT: "ns_per_iteration": 400000,
// JSON-NEXT: "speedup_bound": 1.25
// JSON: "measured": {
// JSON: "not_measured": [
// JSON-NEXT: {
// JSON-NEXT: "column": 3,
// JSON-NEXT: "file": "a.cu",
// JSON-NEXT: "line": [[#]],
// JSON-NEXT: "why": "shared-line"
// JSON-NEXT: }
// JSON-NEXT: ],
// JSON-NEXT: "ns_per_iteration": 100000,
// JSON-NEXT: "speedup_bound": 1.11
// PAGE: <p>what to mend first, of pairs that stay two buffers, by the measured time of an iteration, then those not measured, by bytes
// PAGE: <li><code>helped</code> {{.*}}: 2 copies an iteration: 2.00 MiB in 0.900 ms; without them the loop is at most 2.00 times as fast, <b>
// PAGE: <p>Copies: 3.00 MiB per run of each copy</p>
// PAGE-NEXT: <p>Measured: 3 copies an iteration: 4.00 MiB in 0.400 ms; without them the loop is at most 1.25 times as fast</p>
#include <cstdlib>
__global__ void step(float *x) { x[threadIdx.x] += 1; }
void copies(cudaStream_t s) {
  float *known = (float *)malloc(2 << 20), *d;
  cudaMalloc(&d, 2 << 20);
  cudaMemcpy(d, known, 2 << 20, cudaMemcpyHostToDevice); // run: 0 H2D 2097152 1 200000 0.1
  step<<<1, 256, 0, s>>>(d);
  known[0] = 1;
  cudaMemcpy(known, d, 1 << 20, cudaMemcpyDeviceToHost); // run: 0 D2H 1048576 2 200000 0.1
  cudaFree(d);
  free(known);
}
void shares(cudaStream_t s) {
  float *lines = (float *)malloc(1 << 20), *other = (float *)malloc(1 << 20), *d, *e;
  cudaMalloc(&d, 1 << 20);
  cudaMalloc(&e, 1 << 20);
  cudaMemcpy(d, lines, 1 << 20, cudaMemcpyHostToDevice);    cudaMemcpy(e, other, 1 << 20, cudaMemcpyHostToDevice); // run: 1 H2D 1048576 1 700000 0.1 // run: 2 H2D 1048576 1 700000 0.1
  step<<<1, 256, 0, s>>>(d);
  step<<<1, 256, 0, s>>>(e);
  lines[0] = other[0] = 1;
  cudaMemcpy(lines, d, 1 << 20, cudaMemcpyDeviceToHost); // run: 1 D2H 1048576 1 100000 0.1
  cudaMemcpy(other, e, 1 << 20, cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(e);
  free(lines);
  free(other);
}
static void up(float *to, float *from) {
  cudaMemcpy(to, from, 1 << 20, cudaMemcpyHostToDevice); // run in helping: 3 H2D 1048576 1 500000 0.3
}
void helps(cudaStream_t s) {
  float *helped = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  up(d, helped); // call: helping
  step<<<1, 256, 0, s>>>(d);
  helped[0] = 1;
  cudaMemcpy(helped, d, 1 << 20, cudaMemcpyDeviceToHost); // run: 3 D2H 1048576 1 400000 0.2
  cudaFree(d);
  free(helped);
}
static void upTwo(float *to, float *from) {
  cudaMemcpy(to, from, 1 << 20, cudaMemcpyHostToDevice); // run in first: 4 H2D 1048576 1 500000 0.3 // run in second: 5 H2D 1048576 1 500000 0.3
}
void helpsTwo(cudaStream_t s) {
  float *one = (float *)malloc(1 << 20), *two = (float *)malloc(1 << 20), *d, *e;
  cudaMalloc(&d, 1 << 20);
  cudaMalloc(&e, 1 << 20);
  upTwo(d, one); // call: first
  upTwo(e, two); // call: second
  step<<<1, 256, 0, s>>>(d);
  step<<<1, 256, 0, s>>>(e);
  one[0] = two[0] = 1;
  cudaMemcpy(one, d, 1 << 20, cudaMemcpyDeviceToHost);
  cudaMemcpy(two, e, 1 << 20, cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(e);
  free(one);
  free(two);
}
template <typename T> void kinds(cudaStream_t s) {
  float *kind = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(d, kind, 1 << 20, cudaMemcpyHostToDevice); // run: 6 H2D 1048576 1 500000 0.3 kinds<float>
  step<<<1, 256, 0, s>>>(d);
  kind[0] = 1;
  cudaMemcpy(kind, d, 1 << 20, cudaMemcpyDeviceToHost); // run: 6 D2H 1048576 1 500000 0.3 kinds<float>
  cudaFree(d);
  free(kind);
}
template void kinds<float>(cudaStream_t);
#ifdef MAIN
int main() {
  copies(nullptr);
  shares(nullptr);
  helps(nullptr);
  helpsTwo(nullptr);
  kinds<float>(nullptr);
}
#endif
