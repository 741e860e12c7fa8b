// A helper whose inline assembly may define a symbol is not put into its
// callers, where the symbol would be there twice; one that defines none is.
// REQUIRES: cuda-toolkit
// RUN: bash -c "for a in LABEL BLANK SPACED SECOND COMMENT ASSIGNED EQU COMMON OPERAND TYPE BYTES PLACE; do %echo_cc -w --device=cpu -O0 --min-bytes=1 -D\$a %s -o %t --report - | FileCheck --check-prefix=APART %s && %t || exit 1; done"
// RUN: bash -c "for a in NUMBER UNIQUE; do %echo_cc -w --device=cpu -O0 --min-bytes=1 -D\$a %s -o %t --report - | FileCheck --check-prefix=MERGED %s && %t || exit 1; done"
// RUN: %echo_cc -w --device=cpu -O0 --min-bytes=1 -DMACRO %s -o %t --report - | FileCheck --check-prefix=APART %s
// RUN: %echo_cc -w --device=cpu -O0 --min-bytes=1 -pg -mfentry -DCOUNTED %s -o %t --report - | FileCheck --check-prefix=APART %s
// RUN: %echo_cc -w --device=cpu -O0 --min-bytes=1 -Xarch_host -fpatchable-function-entry=2 -DCOUNTED %s -o %t --report - | FileCheck --check-prefix=APART %s
// APART-NOT: unified
// MERGED: unified
#include <cstdio>
#include <cstdlib>

#if defined(MACRO)
asm(".macro make_it\n\tmade_here:\n\t.endm");
#define CODE "make_it"
#elif defined(LABEL)
#define CODE "made_here:"
#elif defined(BLANK)
#define CODE "made_here : nop"
#elif defined(SPACED)
#define CODE "\n\t  made_here:\n\tnop"
#elif defined(SECOND)
#define CODE "1: made_here: nop"
#elif defined(COMMENT)
#define CODE "/* here */ made_here: nop"
#elif defined(ASSIGNED)
#define CODE "made_here = ."
#elif defined(EQU)
#define CODE ".equ made_here, 4"
#elif defined(COMMON)
#define CODE ".pushsection .bss\n\t.popsection\n\t.comm made_here, 4"
#elif defined(TYPE)
#define CODE ".pushsection .text\n\t.globl made_here\n\tmade_here: nop\n\t.popsection"
#elif defined(NUMBER)
#define CODE "1: nop\n\tjmp 2f\n\t2:"
#elif defined(BYTES)
#define CODE ".byte 0x90; .long 0x90909090"
#elif defined(PLACE)
#define CODE ".pushsection .discard.made\n\t.quad 1b\n\t.popsection\n\t.p2align 2"
#elif defined(UNIQUE)
#define CODE ".Lmade_%=: nop"
#endif

__attribute__((noinline)) float *make(size_t n) {
#if defined(OPERAND)
  asm volatile("made_%c0: nop" : : "i"(7));
#elif defined(UNIQUE)
  asm volatile(CODE : :);
#elif defined(PLACE)
  asm volatile("1:" CODE);
#elif !defined(COUNTED)
  asm volatile(CODE);
#endif
  return (float *)malloc(n);
}
__global__ void add1(float *x) { x[threadIdx.x] += 1; }

int main() {
  float *h = make(1024), *d;
  cudaMalloc(&d, 1024);
  for (int i = 0; i < 256; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  add1<<<1, 256>>>(d);
  cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += h[i];
  cudaFree(d);
  free(h);
  return sum != 255 * 128 + 256;
}
