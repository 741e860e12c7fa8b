// What an object carries of its report, and what becomes of it on the way to the
// program: a cache of compilers gives objects back and runs no compiler.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s kept.cu && mkdir two
// RUN: %echo_cc -w --device=cpu -c kept.cu -o kept.o --report first.txt
// RUN: %echo_cc -w --device=cpu -DMAIN -c kept.cu -o main.o --report second.txt
// RUN: tail -1 first.txt | FileCheck %s --check-prefix=LINK && sed -i '$d' first.txt
// LINK: # link with echo-cc, or with what echo-cc --print-link-flags prints, else nothing merges
// RUN: %echo_cc --report-of kept.o | diff first.txt -
// RUN: %echo_cc -w --device=cpu -c kept.cu -o plain.o
// RUN: %llvm_tools/llvm-objcopy --remove-section=.echo.report kept.o bare.o && cmp bare.o plain.o
//
// Of a unit that is there twice the later one counts, as in a report file.
// RUN: ar rc libkept.a kept.o
// RUN: %echo_cc --report-of libkept.a | diff first.txt -
// RUN: sed 's/up(/other(/; s/touch/change/g' kept.cu > two/other.cu
// RUN: %echo_cc -w --device=cpu -c two/other.cu -o other.o --report-json json
// RUN: FileCheck %s --input-file=json --check-prefix=NEEDS
// NEEDS: "needs_link": true
// RUN: %echo_cc -w --device=cpu -DMAIN kept.cu -o linked --report-json - --report linked.txt | FileCheck %s --implicit-check-not=needs_link --check-prefix=LINKED
// RUN: FileCheck %s --input-file=linked.txt --check-prefix=LINKED --implicit-check-not='# link'
// LINKED: unified
// RUN: %echo_cc --device=cpu main.o other.o -o program && ./program
// RUN: %echo_cc --report-of program | FileCheck %s
// CHECK: # unit kept.cu
// CHECK: h + {{.*}} unified
// CHECK: # unit two/other.cu
// CHECK: h + {{.*}} unified
// CHECK: # all 2 units: 2 pairs: 2 unified
// RUN: %echo_cc --report-of other.o --report-json again && diff json again
// RUN: rm second.txt && %echo_cc --report-of program --report second.txt && FileCheck %s --input-file=second.txt
// RUN: %echo_cc --report-of kept.o other.o | FileCheck %s
//
// RUN: not %echo_cc --report-of plain.o 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'plain.o' carries no report: compile with --report FILE
// RUN: not %echo_cc --report-of missing.o 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read 'missing.o': No such file
// RUN: not %echo_cc --report-of kept.cu 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: error: cannot read 'kept.cu':
// RUN: not %echo_cc --report-of kept.o --report page.html 2>&1 | FileCheck %s --check-prefix=PAGE
// PAGE: error: cannot write 'page.html': reports that objects carry are written as text
#include <cstdlib>
#include <cstring>

__global__ void touch(float *x) { x[0] = 1; }

void up() {
  const size_t bytes = 1 << 20;
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  memset(h, 0, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  touch<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  free(h);
  cudaFree(d);
}
#ifdef MAIN
int main() { return 0; }
#endif
