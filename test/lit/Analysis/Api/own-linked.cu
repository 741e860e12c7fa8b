// Another unit, or a library of the program, may define a function under the
// name of the C library's with its very prototype. Only the finished program
// shows it: echort asks where the calls go.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o unit.o --report unit.txt
// RUN: FileCheck --check-prefix=UNIFIED --input-file=unit.txt %s
// RUN: clang-22 -c %S/Inputs/own-link.c -o own.o
// RUN: clang-22 -c -DHIDDEN %S/Inputs/own-link.c -o hidden.o
// RUN: clang-22 -shared -fPIC %S/Inputs/own-link.c -o libown.so
// RUN: %echo_cc --device=cpu unit.o -o system
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./system 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu -no-pie unit.o -o fixed
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./fixed 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu -s unit.o -o stripped
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./stripped 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu unit.o own.o -o own
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./own 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: %echo_cc --device=cpu -s unit.o hidden.o -o hidden
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./hidden 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: %echo_cc --device=cpu unit.o -L. -lown -Wl,-rpath,%t -o shared
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./shared 2>&1 | FileCheck --check-prefix=OWN %s
// UNIFIED: 1 pair: 1 unified
// MERGED: mapped
// MERGED: {{^}}1{{$}}
// OWN: the program has a function 'link' of its own, or is linked statically
// OWN: split{{.*}}a function under a library's name is the program's own
// OWN: {{^}}1{{$}}
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void update(float *inout) { inout[threadIdx.x] += 1; }
int main() {
  constexpr size_t Bytes = 1 << 20;
  float *h = (float *)calloc(Bytes, 1), *d;
  cudaMalloc(&d, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  (void)link("", "/");
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  fflush(stdout);
  free(h);
  cudaFree(d);
}
