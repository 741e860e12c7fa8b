// Relocatable device code: linked by echo-cc, or by another linker after
// -dlink; what is not an object is refused.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -w -rdc=true -DMAIN -c %s -o a.o && %echo_cc -w -dc %s -o b.o
// RUN: %echo_cc a.o b.o -o app && ./app
// RUN: ar rcs libb.a b.o && %echo_cc a.o libb.a -o app && ./app
// RUN: %echo_cc -dlink a.o b.o -o dl.o && llvm-readobj -S --symbols dl.o | FileCheck --check-prefix=DLINK %s
// RUN: %clangxx22 a.o b.o dl.o -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread -o app && ./app
// RUN: %echo_cc -### a.o b.o dl.o 2>&1 | FileCheck --check-prefix=ONCE %s
// RUN: %echo_cc -### a.o b.o 2>&1 | FileCheck --check-prefix=WRAPPER %s
// RUN: %echo_cc -dlink --device=cpu a.o b.o -o cpu.o && llvm-readobj -S cpu.o | FileCheck --check-prefix=EMPTY %s
// Neither makes a program's stack executable.
// RUN: echo 'int main() {}' > plain.c && gcc plain.c cpu.o -o plain && readelf -lW plain | FileCheck --check-prefix=STACK %s
// RUN: readelf -lW app | FileCheck --check-prefix=STACK %s
// RUN: llvm-readobj -S dl.o | FileCheck --check-prefix=NOTE %s
// RUN: not %echo_cc -dlink %s -o dl2.o 2>&1 | FileCheck --check-prefix=SOURCE %s
// RUN: not %echo_cc -dlink none.o -o dl2.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not ls dl2.o
// DLINK: .nv_fatbin
// DLINK-NOT: Name: main
// STACK: GNU_STACK {{.*}} RW {{ *}}0x
// NOTE: Name: .note.GNU-stack
// ONCE-NOT: clang-linker-wrapper
// WRAPPER: clang-linker-wrapper
// EMPTY-NOT: .nv_fatbin
// SOURCE: error: -dlink takes objects, not '{{.*}}.cu': compile it with -dc first
// NONE: error: no such file or directory: 'none.o'
#ifdef MAIN
extern __device__ int next(int);
__global__ void k(int *p) { *p = next(*p); }
int main(int Count, char **) {
  if (Count > 5)
    k<<<1, 1>>>(nullptr);
}
#else
__device__ int next(int x) { return x + 1; }
#endif
