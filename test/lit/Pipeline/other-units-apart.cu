// Units that a link with -flto keeps apart, the folder that -Bstatic takes a
// library from, and functions that the linker replaces by --defsym.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t/one %t/two && cd %t
// RUN: %clangxx22 -O1 -flto=thin -DRESET -x c++ -c %S/Inputs/plain-unit.cpp -o thin.o
// RUN: %clangxx22 -O1 -flto=full -DRESET -x c++ -c %S/Inputs/plain-unit.cpp -o full.o
// RUN: %clangxx22 -O1 -flto=thin -x c++ -c %S/Inputs/plain-unit.cpp -o harmless.o
// RUN: %echo_cc --device=cpu -w -O2 --min-bytes=1 -flto -c %s -o main.o
// RUN: %echo_cc --device=cpu -flto main.o thin.o -o thin
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./thin 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc --device=cpu -flto main.o full.o -o full --report full.txt
// RUN: FileCheck --check-prefix=DECLINED --input-file=full.txt %s
// RUN: %echo_cc --device=cpu -flto main.o harmless.o -o harmless
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./harmless 2>&1 | FileCheck --check-prefix=MERGED %s

// RUN: %echo_cc --device=cpu -w -O2 --min-bytes=1 -c %s -o native.o
// RUN: clang++-22 -fPIC -O1 -x c++ -c %S/Inputs/plain-unit.cpp -o plain.o
// RUN: clang++-22 -fPIC -O1 -DRESET -x c++ -c %S/Inputs/plain-unit.cpp -o reset.o
// RUN: %clangxx22 -shared plain.o -o one/libx.so && llvm-ar-22 rc two/libx.a reset.o
// RUN: %echo_cc --device=cpu native.o -Lone -Ltwo -Wl,-Bstatic -lx -Wl,-Bdynamic -o static
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./static 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc --device=cpu native.o -Lone -Ltwo -Wl,-Bstatic -Wl,--push-state,-Bdynamic -lm -Wl,--pop-state -lx -Wl,-Bdynamic -o pushed
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./pushed 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: clang++-22 -O1 -DNEEDS -x c++ -c %S/Inputs/plain-unit.cpp -o needs.o
// RUN: %echo_cc --device=cpu -fuse-ld=lld native.o needs.o -Ltwo -o needs
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./needs 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc --device=cpu native.o -Lone -Ltwo -lx -Wl,-rpath,one -o dynamic
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./dynamic 2>&1 | FileCheck --check-prefix=MERGED %s

// One command that compiles all of them sees what each does, too.
// RUN: %echo_cc --device=cpu -w -O2 --min-bytes=1 %s -x c++ %S/Inputs/plain-unit.cpp -o together
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./together 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu -w -O2 --min-bytes=1 -DRESET %s -x c++ %S/Inputs/plain-unit.cpp -o together
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./together 2>&1 | FileCheck --check-prefix=RESET %s

// RUN: clang++-22 -O1 -DCOPIES -x c++ -c %S/Inputs/plain-unit.cpp -o copies.o
// RUN: %echo_cc --device=cpu native.o copies.o -Wl,--defsym=cudaMemcpy=my_copy -o defsym 2>&1 | FileCheck --check-prefix=NOTE %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./defsym 2>&1 | FileCheck --check-prefix=WRAPPED %s
// RUN: %echo_cc --device=cpu native.o copies.o -Wl,--defsym=nothing=my_copy -o other
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./other 2>&1 | FileCheck --check-prefix=MERGED %s

// RESET: split: another unit may reset the device
// DECLINED: declined{{.*}}device-reset
// MERGED: merged (mapped)
// NOTE: note: --wrap or --defsym replaces a function that merged pairs do not call
// WRAPPED: split: the link wraps a function
#include <cstdio>
#include <cstdlib>
void other();
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main() {
  int *h = (int *)malloc(4096), *d;
  if (cudaMalloc(&d, 4096))
    return 1;
  for (int i = 0; i < 1024; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  twice<<<1, 1024>>>(d);
  cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);
  other();
  printf("%d\n", h[1023]);
  cudaFree(d);
  free(h);
}
