// Objects with merged pairs link with any linker, on a machine or in a build
// that knows nothing of echort: then every pair stays split.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t
// RUN: %echo_cc --device=cpu -w -c %s -o %t/a.o --report %t/pairs.txt
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/pairs.txt
// RUN: %clangxx22 %t/a.o -o %t/foreign %echo_lib/libecho_cpu.a -lpthread -ldl
// RUN: env ECHO_STATS=1 %t/foreign 2>&1 | FileCheck %s --check-prefix=SPLIT
// Who asks what Echo does is told why, once; nobody else is.
// RUN: env ECHO_VERBOSE=1 %t/foreign 2>&1 >%t/out | FileCheck %s --check-prefix=WHY
// RUN: %t/foreign 2>&1 | FileCheck %s --check-prefix=SILENT --match-full-lines
// RUN: %echo_cc %t/a.o -o %t/own
// RUN: env ECHO_STATS=1 %t/own 2>&1 | FileCheck %s --check-prefix=MERGED
// Through Echo's linker folder any compiler's link merges.
// RUN: echo 'int main() { return 0; }' > %t/plain.c
// RUN: %echo_cc --print-link-flags > %t/flags
// RUN: bash -c "for c in 'g++' 'g++ -no-pie' 'g++ -fuse-ld=lld' '%clangxx22'; do \$c @%t/flags %t/a.o -lcudart -o %t/through && ECHO_STATS=1 %t/through 2>&1 | FileCheck %s --check-prefix=MERGED || exit 1; done"
// gcc calls it also where a folder with linkers is named before (Bazel's -B/usr/bin), and the linker that was chosen.
// RUN: bash -c "for c in 'g++' 'g++ -fuse-ld=lld' 'g++ -fuse-ld=bfd'; do \$c -B/usr/bin @%t/flags %t/a.o -lcudart -o %t/through && ECHO_STATS=1 %t/through 2>&1 | FileCheck %s --check-prefix=MERGED || exit 1; done"
// RUN: g++ -B/usr/bin -fuse-ld=lld @%t/flags %t/plain.c -o %t/plain && readelf -p .comment %t/plain | FileCheck %s --check-prefix=LLD
// RUN: not %echo_lib/ld/collect-ld -fuse-ld=none %t/a.o 2>&1 | FileCheck %s --check-prefix=NO-LINKER
// LLD: LLD
// NO-LINKER: error: there is no linker 'ld.none' beside Echo's
// What --check needs comes with its flags.
// RUN: %echo_cc --device=cpu --check -w -c %s -o %t/checked.o
// RUN: %echo_cc --device=cpu --check --print-link-flags > %t/check-flags
// RUN: g++ %t/checked.o @%t/check-flags -lcudart -o %t/checked && %t/checked 2>&1 | FileCheck %s --check-prefix=CHECKED
// An archive that only the linker is told of.
// RUN: rm -f %t/liba.a && ar rcs %t/liba.a %t/a.o && %echo_cc -Xlinker=%t/liba.a -Xlinker --undefined=main -o %t/archive && env ECHO_STATS=1 %t/archive 2>&1 | FileCheck %s --check-prefix=MERGED
// CHECKED: 7
// A program without merged pairs gets nothing, and a partial link is left alone.
// RUN: gcc @%t/flags %t/plain.c -o %t/plain && llvm-nm-22 %t/plain | FileCheck %s --check-prefix=NOTHING
// RUN: gcc @%t/flags -r %t/a.o -o %t/partial.o && llvm-nm-22 %t/partial.o | FileCheck %s --check-prefix=NOTHING
// RUN: g++ @%t/flags %t/partial.o -o %t/through && env ECHO_STATS=1 %t/through 2>&1 | FileCheck %s --check-prefix=MERGED
// NOTHING-NOT: echort_linked_by
// REPORT: unified
// WHY: echo: another linker left Echo's runtime out, so nothing merges here: link with echo-cc, or give the linker $(echo-cc --print-link-flags)
// WHY-NOT: {{.}}
// SILENT: 7
// SILENT-NOT: {{.}}
// SPLIT-NOT: merged
// SPLIT: {{^}}7
// SPLIT-NOT: merged
// MERGED-DAG: 7
// MERGED-DAG: 1 pair merged
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void fill(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 7;
}

int main() {
  const int n = 1 << 17;
  int *h = (int *)malloc(n * sizeof(int)), *d;
  cudaMalloc(&d, n * sizeof(int));
  fill<<<n / 256, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
  cudaFree(d);
  free(h);
}
// A library or bitcode tells that echort is needed, as an object does.
// RUN: %llvm_tools/llvm-ar rcs %t/libpair.a %t/a.o
// RUN: %echo_cc -L%t -lpair -o %t/library && env ECHO_STATS=1 %t/library 2>&1 | FileCheck %s --check-prefix=MERGED
// RUN: %echo_cc --device=cpu -w -flto -c %s -o %t/lto.o
// RUN: %echo_cc -flto -fuse-ld=lld %t/lto.o -o %t/lto && env ECHO_STATS=1 %t/lto 2>&1 | FileCheck %s --check-prefix=MERGED
