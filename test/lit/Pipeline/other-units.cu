// What a pair takes for granted of units that the compiler does not see is
// looked up when they are linked. A pair during whose life no such code runs
// relies on none of it.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 -c %s -o calls.o
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 -DSEEN -c %s -o seen.o
// RUN: clang-22 -x c -c %S/Inputs/wrappers.c -o wrappers.o
// RUN: bash -c "for w in NOTHING RESET CHILD HEAP HOOK SELECT HELD CAPTURE; do %echo_cc -w --device=cpu -fPIC -D\$w -c %S/Inputs/other-unit.cpp -o \$w.o && %echo_cc --device=cpu calls.o \$w.o wrappers.o -o calls.\$w && %echo_cc --device=cpu seen.o \$w.o wrappers.o -o seen.\$w || exit 1; done"

// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.NOTHING 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.RESET 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.CHILD 2>&1 | FileCheck --check-prefix=CHILD %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.HEAP 2>&1 | FileCheck --check-prefix=HEAP %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.HOOK 2>&1 | FileCheck --check-prefix=HOOK %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.HELD 2>&1 | FileCheck --check-prefix=HELD %s
// There is no other device to select.
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.SELECT 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./calls.CAPTURE 2>&1 | FileCheck --check-prefix=CAPTURE %s

// Nothing out of sight runs while the pair exists.
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./seen.RESET 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./seen.CHILD 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./seen.CAPTURE 2>&1 | FileCheck --check-prefix=MERGED %s
// But each relies on that nothing of the program runs where memory is allocated.
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./seen.HOOK 2>&1 | FileCheck --check-prefix=HOOK %s

// Archives and shared libraries count, and units that the same command compiles.
// With -flto these are seen.
// RUN: llvm-ar-22 rc libreset.a RESET.o
// RUN: %echo_cc --device=cpu calls.o -L. -lreset -o archive
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./archive 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc --device=cpu -cudart shared -shared RESET.o -o libplugin.so
// RUN: %echo_cc --device=cpu -cudart shared calls.o -L. -lplugin -Wl,-rpath,. -o shared
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./shared 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc --device=cpu -shared RESET.o -o libown.so
// RUN: %echo_cc --device=cpu calls.o ./libown.so -o own
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./own 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 %s %S/Inputs/other-unit.cpp -o apart
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./apart 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 -DRESET %s %S/Inputs/other-unit.cpp -o apart
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./apart 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc -w -flto --device=cpu -O2 --min-bytes=1 %s %S/Inputs/other-unit.cpp -o joined
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./joined 2>&1 | FileCheck --check-prefix=MERGED %s

// An object may hold several units. Then one's names count for the other's pairs.
// RUN: ld -r calls.o RESET.o -o several.o && %echo_cc --device=cpu several.o -o several
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./several 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: printf '.globl _Z5otherv\n_Z5otherv: jmp cudaDeviceReset@PLT\n' >own.s && clang-22 -c own.s -o own.o
// RUN: ld -r calls.o own.o -o nameless.o && %echo_cc --device=cpu nameless.o -o nameless
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./nameless 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: ld -r calls.o NOTHING.o -o harmless.o && %echo_cc --device=cpu harmless.o -o harmless
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./harmless 2>&1 | FileCheck --check-prefix=MERGED %s
// Bitcode is no less another unit, alone, in an archive and beside object code.
// RUN: %echo_cc -w --device=cpu -DRESET -flto -ffat-lto-objects -c %S/Inputs/other-unit.cpp -o both.o
// RUN: %echo_cc --device=cpu calls.o both.o -o both
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./both 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc -w --device=cpu -DRESET -flto -c %S/Inputs/other-unit.cpp -o bitcode.o
// RUN: llvm-ar-22 rc libbitcode.a bitcode.o && %echo_cc --device=cpu -fuse-ld=lld calls.o libbitcode.a -o bitcode
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./bitcode 2>&1 | FileCheck --check-prefix=RESET %s
// A path may begin as the system's do.
// RUN: %echo_cc --device=cpu calls.o /usr/lib/../..%t/RESET.o -o path
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./path 2>&1 | FileCheck --check-prefix=RESET %s
// What the users of a shared library do, echort sees in the process.
// RUN: bash -c "for w in calls seen; do %echo_cc -w --device=cpu -O2 --min-bytes=1 -fPIC -cudart shared -shared -Dmain=start \$(test \$w = seen && echo -DSEEN) %s NOTHING.o -o lib\$w.so || exit 1; for u in NOTHING RESET CHILD; do %echo_cc -w --device=cpu -cudart shared -DSTART -x cuda %s -x none \$u.o -o uses.\$w.\$u -L. -l\$w -Wl,-rpath,. || exit 1; done; done"
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./uses.calls.NOTHING 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./uses.calls.RESET 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./uses.calls.CHILD 2>&1 | FileCheck --check-prefix=CHILD %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./uses.seen.RESET 2>&1 | FileCheck --check-prefix=MERGED %s
// A user with a CUDA runtime inside may call anything of it. So may a library that was loaded.
// RUN: %echo_cc -w --device=cpu -DSTART -x cuda %s -x none NOTHING.o -o uses.static -L. -lcalls -Wl,-rpath,. -Wl,--export-dynamic
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./uses.static 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: %echo_cc -w --device=cpu -cudart shared -DSTART -DLOAD -x cuda %s -x none NOTHING.o -o loads -L. -lcalls -Wl,-rpath,. -ldl
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./loads ./libplugin.so 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./loads ./libown.so 2>&1 | FileCheck --check-prefix=RESET %s
// A library that a program loads before its pair exists counts, too.
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 -DLOAD -cudart shared %s NOTHING.o -o plugs -ldl
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./plugs 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./plugs ./libplugin.so 2>&1 | FileCheck --check-prefix=RESET %s

// Where another linker joins the program with echort, echort looks at all of it.
// RUN: bash -c "for w in NOTHING RESET CHILD; do g++ calls.o \$w.o -o foreign.\$w -Wl,--whole-archive %echo_lib/libechort.a -Wl,--no-whole-archive %echo_lib/cpu/libcudart.so -Wl,-rpath,%echo_lib/cpu -ldl -lpthread || exit 1; done"
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./foreign.NOTHING 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./foreign.RESET 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./foreign.CHILD 2>&1 | FileCheck --check-prefix=CHILD %s
// RUN: g++ seen.o NOTHING.o wrappers.o -Wl,--wrap=cudaMalloc -o foreign.wraps -Wl,--whole-archive %echo_lib/libechort.a -Wl,--no-whole-archive %echo_lib/cpu/libcudart.so -Wl,-rpath,%echo_lib/cpu -ldl -lpthread
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./foreign.wraps 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: g++ seen.o NOTHING.o wrappers.o -Wl,--wrap=free -o foreign.frees -Wl,--whole-archive %echo_lib/libechort.a -Wl,--no-whole-archive %echo_lib/cpu/libcudart.so -Wl,-rpath,%echo_lib/cpu -ldl -lpthread
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./foreign.frees 2>&1 | FileCheck --check-prefix=OWN %s
// Through Echo's linker folder echo-cc looks, as in its own links. What GCC keeps for its own link-time optimization
// nobody can read.
// RUN: bash -c "for w in NOTHING RESET CHILD; do g++ -B%echo_lib/ld calls.o \$w.o -o through.\$w || exit 1; done"
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./through.NOTHING 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./through.RESET 2>&1 | FileCheck --check-prefix=RESET %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./through.CHILD 2>&1 | FileCheck --check-prefix=CHILD %s
// RUN: echo 'void other() {}' > gcc.cpp && g++ -c gcc.cpp -o gcc.o && g++ -c -flto gcc.cpp -o slim.o
// RUN: g++ -B%echo_lib/ld calls.o gcc.o -o through.gcc && env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./through.gcc 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: g++ -B%echo_lib/ld -flto calls.o slim.o -o through.slim && env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./through.slim 2>&1 | FileCheck --check-prefix=RESET %s
// OWN: split: a function under a library's name is the program's own

// A wrapper of what merged pairs leave out would see nothing; one of another
// function sees all.
// RUN: %echo_cc --device=cpu seen.o NOTHING.o wrappers.o -Wl,--wrap=cudaMalloc -o wraps 2>&1 | FileCheck --check-prefix=NOTE %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./wraps 2>&1 | FileCheck --check-prefix=WRAPPED %s
// RUN: %echo_cc --device=cpu --unify-wrapped seen.o NOTHING.o wrappers.o -Wl,--wrap=cudaMalloc -o counts
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./counts 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu seen.o NOTHING.o wrappers.o -Xlinker --wrap -Xlinker free -o frees
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./frees 2>&1 | FileCheck --check-prefix=FREES %s
// RUN: %echo_cc --device=cpu seen.o NOTHING.o wrappers.o -Wl,--wrap=puts -o puts
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./puts 2>&1 | FileCheck --check-prefix=MERGED %s

// MERGED: merged (mapped)
// RESET: split: another unit may reset the device
// CHILD: split: another unit may make a child process
// HEAP: split: another unit may ask how much of the heap is used
// HOOK: split: another unit may have code that runs where memory is allocated
// HELD: split: work of another unit may wait for the host
// CAPTURE: split: another unit may capture a stream, and waits would fail
// NOTE: note: --wrap or --defsym replaces a function that merged pairs do not call
// WRAPPED: split: the link wraps a function
// WRAPPED: wrapped: cudaMalloc
// FREES: wrapped: free
#ifdef LOAD
#include <dlfcn.h>
#endif
#ifdef START
int start(int, char **);
int main(int argc, char **argv) {
#ifdef LOAD
  if (!dlopen(argv[1], RTLD_NOW))
    return 1;
#endif
  return start(argc, argv);
}
#else
#include <cstdio>
#include <cstdlib>
void other();
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
static int work() {
  int *h = (int *)malloc(4096), *d;
  if (cudaMalloc(&d, 4096))
    return 1;
  for (int i = 0; i < 1024; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  twice<<<1, 1024>>>(d);
  cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);
#ifndef SEEN
  other();
#endif
  int last = h[1023];
  cudaFree(d);
  free(h);
  return last;
}
int main(int argc, char **argv) {
#ifdef LOAD
  if (argc > 1 && !dlopen(argv[1], RTLD_NOW))
    return 1;
#endif
  printf("%d\n", work());
#ifdef SEEN
  if (!getenv("ECHO_VERBOSE"))
    other();
#endif
  return 0;
}
#endif
