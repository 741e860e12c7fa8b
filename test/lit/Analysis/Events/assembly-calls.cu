// Assembly whose text may run code elsewhere may run any function, and so a
// file with it has no pairs; other assembly does what its constraints say.
// REQUIRES: cuda-toolkit
// RUN: bash -c "for a in NOTHING PAUSE CLOCK LOOP SKIP VERSION TAG NOTE; do %echo_cc -w --device=cpu -O1 --min-bytes=1 -D\$a -c %s -o %t.o --report - | FileCheck --check-prefix=MERGED %s || exit 1; done"
// RUN: bash -c "for a in CALLS POINTER TAIL PUSHED SYSTEM ENCODED LONG CAPITALS DATA FAKED FILE ALIAS RUN TABLE NAMED START CODE AFTER COMMENT STRING; do %echo_cc -w --device=cpu -O1 --min-bytes=1 -D\$a -c %s -o %t.o --report - | FileCheck --check-prefix=APART %s || exit 1; done"
// MERGED: unified
// APART: declined   coverage complex-control
// APART-NEXT: assembly in this file may run any function
#include <cstdlib>

extern "C" void reset_it() { cudaDeviceReset(); }

void work() {
#if defined(NOTHING)
  asm volatile("" ::: "memory");
#elif defined(PAUSE)
  asm volatile("rep; nop\n\tmfence" ::: "memory");
#elif defined(CLOCK)
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
#elif defined(LOOP)
  asm volatile("mov $3, %%ecx\n1: dec %%ecx\n\tjnz 1b" ::: "ecx", "cc");
#elif defined(SKIP)
  asm volatile("jmp .Lover%=\n\tnop\n.Lover%=:" ::);
#elif defined(CALLS)
  asm volatile("call reset_it" ::: "memory");
#elif defined(POINTER)
  asm volatile("call *%0" ::"r"(&reset_it) : "memory");
#elif defined(TAIL)
  asm volatile("jmp reset_it" ::: "memory");
#elif defined(PUSHED)
  asm volatile("pushq $reset_it; ret" ::: "memory");
#elif defined(SYSTEM)
  asm volatile("syscall" ::"a"(57) : "rcx", "r11", "memory");
#elif defined(LONG)
  asm volatile(".long 0x9090050f" ::"a"(57) : "rcx", "r11", "memory");
#elif defined(CAPITALS)
  asm volatile(".LONG 0x9090050f" ::"a"(57) : "rcx", "r11", "memory");
#elif defined(DATA)
  asm volatile(".dc.b 0xff, 0xd0" ::"a"(&reset_it) : "memory");
#elif defined(FAKED)
  asm volatile("jmp reset_it # %=" ::: "memory");
#elif defined(ENCODED)
  asm volatile(".byte 0x0f, 0x05" ::"a"(57) : "rcx", "r11", "memory");
#endif
}
#if defined(VERSION)
asm(".symver memcpy, memcpy@GLIBC_2.2.5");
#elif defined(TAG)
// As Qt marks each unit.
asm(".section .qtversion, \"aG\", @progbits, qt_version_tag, comdat\n.align 8\n.quad version_tag@GOT\n.long 0x050f08\n"
    ".align 8\n.previous");
#elif defined(NOTE)
asm(".section .comment.of.mine,\"MS\",@progbits,1\n.asciz \"called by nobody\"\n.text");
#elif defined(RUN)
asm(".section .qtversion, \"axG\", @progbits, qt_version_tag, comdat\n.align 8\n.long 0x050f08\n.previous");
#elif defined(TABLE)
asm(".section tables,\"a\",@progbits\n.quad version_tag\n.previous");
#elif defined(NAMED)
asm(".section .tables,\"a\",@progbits\n.quad reset_it\n.previous");
#elif defined(START)
asm(".section .init_array,\"aw\"\n.quad version_tag\n.previous");
#elif defined(CODE)
asm(".section .text.tag,\"a\",@progbits\n.long 0x9090050f\n.previous");
#elif defined(AFTER)
asm(".section .tag,\"a\",@progbits\n.long 1\n.previous\n.long 0x9090050f");
#elif defined(COMMENT)
asm("# ; .section .tag,\"a\",@progbits\n.long 0x9090050f");
#elif defined(STRING)
asm(".section .tag,\"a\",@progbits\n.ascii \"\\\"; .text; .long 1 # \"\n.previous");
#elif defined(ALIAS)
asm(".symver heap, mallinfo@GLIBC_2.2.5");
#elif defined(FILE)
asm("other:\n\tjmp cudaDeviceReset");
#endif

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

float sum() {
  float *h = (float *)malloc(1024), *d, s = 0;
  cudaMalloc(&d, 1024);
  for (int i = 0; i < 256; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost);
  work();
  for (int i = 0; i < 256; ++i)
    s += h[i];
  cudaFree(d);
  free(h);
  return s;
}
