// A report names files as their user finds them from where the compiler ran, and two of one name in two folders apart.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t/src/one %t/src/two %t/build && cp %s %t/src/one/pair.cu && cp %s %t/src/two/pair.cu
// RUN: cp %S/Inputs/pair.h %t/src
// An absolute name stays one, as CMake gives it.
// RUN: cd %t/build && %echo_cc -w -O2 -I%t/src --report r.txt --report-json r.json --device=cpu -c %t/src/one/pair.cu -o one.o
// RUN: %echo_cc -w -O2 -I%t/src --report r.txt --report-json r.json --device=cpu -c %t/src/two/pair.cu -DTWO -o two.o
// RUN: FileCheck -DDIR=%t --input-file=r.txt %s && FileCheck -DDIR=%t --check-prefix=JSON --input-file=r.json %s
// RUN: %echo_cc -w -O2 -I%t/src --report r.html --device=cpu -c %t/src/two/pair.cu -DTWO -o two.o
// RUN: FileCheck -DDIR=%t --check-prefix=PAGE --input-file=r.html %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=one/pair.cu=split sh -c '%echo_cc -w --device=cpu one.o two.o -o app && ./app' 2>&1 | FileCheck -DDIR=%t --check-prefix=PLACED %s
// A relative one as it was given.
// RUN: %echo_cc -w -O2 -I../src --report s.txt --device=cpu -c ../src/one/pair.cu -o one.o && FileCheck --check-prefix=RELATIVE --input-file=s.txt %s
// A report that lies elsewhere says where it was.
// RUN: %echo_cc -w -O2 -I../src --report ../r.sarif --device=cpu -c ../src/two/pair.cu -DTWO -o two.o
// RUN: cd %t/src/one && %echo_cc -w -O2 -I.. --report %t/r.sarif --device=cpu -c pair.cu -o one.o
// RUN: python3 -B %S/Inputs/check-sarif.py 2 %t/r.sarif && FileCheck -DDIR=%t --check-prefix=SARIF --input-file=%t/r.sarif %s
// A link that joins two folders: names of the one where it runs can stay relative.
// RUN: %echo_cc -w -O2 -flto -I.. --device=cpu -c pair.cu -o one.o
// RUN: cd %t/src/two && %echo_cc -w -O2 -flto -I.. --device=cpu -c pair.cu -DTWO -o two.o
// RUN: %echo_cc -w -O2 -flto --device=cpu --report l.txt ../one/one.o two.o -o app && FileCheck -DDIR=%t --check-prefix=LINK --input-file=l.txt %s
// RUN: %echo_cc -w -O2 -flto --device=cpu --report ../l.txt ../one/one.o two.o -o app && FileCheck -DDIR=%t --check-prefixes=PROGRAM,LINK --input-file=../l.txt %s
// PROGRAM: {{^}}# unit app in {{/.*}}/src/two{{$}}
// CHECK: {{^}}# unit [[DIR]]/src/one/pair.cu
// CHECK-NEXT: {{^}}[[DIR]]/src/one/pair.cu:[[#@LINE+27]]:{{[0-9]+}} h + [[DIR]]/src/one/pair.cu:{{.*}} unified 1 copy removed ([[#@LINE+30]]:{{.*}}, by fresh [[DIR]]/src/pair.h:
// CHECK: {{^}}# unit [[DIR]]/src/two/pair.cu
// CHECK-NEXT: {{^}}[[DIR]]/src/two/pair.cu:
// JSON: "file": "[[DIR]]/src/one/pair.cu"
// JSON: "file": "[[DIR]]/src/two/pair.cu"
// PAGE: <b>{{.*}}cudaMemcpy(d, h, 1
// PAGE: <code>[[DIR]]/src/two/pair.cu:[[#@LINE+21]]:{{.*}}</code>
// PLACED-DAG: [[DIR]]/src/pair.h:4:19 h + [[DIR]]/src/one/pair.cu:{{.*}} d: split
// PLACED-DAG: [[DIR]]/src/pair.h:4:19 h + [[DIR]]/src/two/pair.cu:{{.*}} d: merged
// RELATIVE: {{^}}../src/one/pair.cu:{{.*}}, by fresh ../src/pair.h:
// SARIF: "originalUriBaseIds": {
// SARIF: "[[DIR]]/build": {
// SARIF-NEXT: "uri": "file://{{.*}}/build/"
// SARIF: "[[DIR]]/src/one": {
// SARIF-NEXT: "uri": "file://{{.*}}/src/one/"
// SARIF: "uri": "../src/two/pair.cu",
// SARIF-NEXT: "uriBaseId": "[[DIR]]/build"
// SARIF: "uri": "pair.cu",
// SARIF-NEXT: "uriBaseId": "[[DIR]]/src/one"
// LINK-DAG: {{^}}[[DIR]]/src/one/pair.cu:
// LINK-DAG: {{^}}pair.cu:
#include "pair.h"
#ifdef TWO
#define first second
#endif
static __global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
void first(int *y) {
  float *d, *h = fresh();
  cudaMalloc(&d, 1 << 20);
  h[0] = 1;
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
  use<<<1, 64>>>(d, y);
  cudaFree(d);
  free(h);
}
#ifndef TWO
void second(int *y);
int main() {
  int *y;
  cudaMalloc(&y, sizeof *y);
  first(y);
  second(y);
  cudaFree(y);
}
#endif
