// A unit whose source is gone leaves the report with the next compilation that writes to it; others stay, wherever
// their compilers ran.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t/sub %t/other && cd %t && cp %s a.cu && cp %s b.cu && cp %s sub/a.cu && cp %s other/c.cu
// RUN: sh -c 'for f in txt json html sarif; do %echo_cc -w --report$(test $f = json && echo -json) r.$f -c a.cu -o a.o && %echo_cc -w --report$(test $f = json && echo -json) r.$f -c %t/other/c.cu -o c.o && (cd sub && %echo_cc -w --report$(test $f = json && echo -json) ../r.$f -c a.cu -o a.o) && %echo_cc -w --report$(test $f = json && echo -json) r.$f -c b.cu -o b.o || exit 1; done'
// RUN: cat r.txt r.json r.html r.sarif | FileCheck --check-prefix=ALL %s
// RUN: python3 -B %S/Inputs/check-sarif.py 4 r.sarif
// From another folder no file is missed that only the first one has.
// RUN: sh -c 'cd sub && for f in txt json html sarif; do %echo_cc -w --report$(test $f = json && echo -json) ../r.$f -c a.cu -o a.o || exit 1; done'
// RUN: cat r.txt r.json r.html r.sarif | FileCheck --check-prefix=ALL %s
// RUN: rm a.cu other/c.cu
// RUN: sh -c 'for f in txt json html sarif; do %echo_cc -w --report$(test $f = json && echo -json) r.$f -c b.cu -o b.o || exit 1; done'
// RUN: FileCheck --check-prefix=TEXT --input-file=r.txt %s && FileCheck --check-prefix=JSON --input-file=r.json %s
// RUN: FileCheck --check-prefix=PAGE --input-file=r.html %s && python3 -B %S/Inputs/check-sarif.py 2 r.sarif
// RUN: rm sub/a.cu
// RUN: sh -c 'for f in txt json html sarif; do %echo_cc -w --report$(test $f = json && echo -json) r.$f -c b.cu -o b.o || exit 1; done'
// RUN: FileCheck --check-prefix=LAST --input-file=r.txt %s && python3 -B %S/Inputs/check-sarif.py 1 r.sarif
// RUN: FileCheck --check-prefix=LAST-JSON --input-file=r.json %s
// What objects carry is not of this folder, and a stream holds nothing earlier.
// RUN: %echo_cc -w --report k.txt -c b.cu -o b.o && mv b.cu d.cu && %echo_cc -w --report k.txt -c d.cu -o d.o
// RUN: %echo_cc --report-of b.o --report of.txt && %echo_cc --report-of d.o --report of.txt && FileCheck --check-prefix=KEPT --input-file=of.txt %s
// RUN: sh -c 'cd sub && %echo_cc -w --report - -c ../d.cu -o d.o' | FileCheck --check-prefix=STREAM %s
// ALL: {{^}}# unit {{.*}}/other/c.cu{{$}}
// ALL: {{^}}# unit a.cu{{$}}
// ALL: {{^}}# unit a.cu in [[SUB:/.*/sub]]{{$}}
// ALL: {{^}}# unit b.cu{{$}}
// ALL: {{^}}# all 4 units: 4 pairs: 4 unified{{$}}
// ALL: "source": "{{.*}}/other/c.cu"
// ALL: "source": "a.cu"
// ALL: "folder": "[[SUB]]"
// ALL: "source": "a.cu"
// ALL: "source": "b.cu"
// ALL: <h2><code>a.cu</code></h2>
// ALL: <h2><code>a.cu</code> in <code>[[SUB]]</code></h2>
// ALL: "unit": "a.cu"
// ALL: "folder": "[[SUB]]",
// ALL-NEXT: "unit": "a.cu"
// TEXT-NOT: unit
// TEXT: {{^}}# unit a.cu in /{{.*}}/sub{{$}}
// TEXT: {{^}}# unit b.cu{{$}}
// TEXT: {{^}}# all 2 units
// JSON-NOT: "source"
// JSON: "folder": "{{.*}}/sub"
// JSON: "source": "a.cu"
// JSON: "source": "b.cu"
// JSON-NOT: "source"
// PAGE: <p>2 pairs
// LAST: {{^}}# unit b.cu{{$}}
// LAST-NOT: # all
// LAST-JSON-NOT: "folder"
// LAST-JSON: "source": "b.cu"
// LAST-JSON-NOT: "source"
// KEPT: # unit b.cu
// KEPT: # unit d.cu
// STREAM: {{^}}# unit ../d.cu{{$}}
#include <cstdlib>
__global__ void use(const float *d, int *y) { *y = d[threadIdx.x] > 0; }
void f(int *y) {
  float *h = (float *)malloc(4 << 20), *d;
  cudaMalloc(&d, 4 << 20);
  cudaMemcpy(d, h, 4 << 20, cudaMemcpyHostToDevice);
  use<<<1, 256>>>(d, y);
  cudaFree(d);
  free(h);
}
