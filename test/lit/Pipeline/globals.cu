// Pointers and sizes at file scope: variables of main where nothing else can
// reach them, which the link knows of all files, and one file of its static
// variables.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc --device=cpu -w -O2 -flto %s -o whole --report whole.txt
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=whole.txt
// RUN: env ECHO_STATS=1 ./whole 2>&1 | FileCheck %s --check-prefix=RAN
// WHOLE: in + {{.*}} dIn {{.*}} unified
// WHOLE: out + {{.*}} dOut {{.*}} unified
// RAN-DAG: 12
// RAN-DAG: 2 pairs merged
// RUN: %echo_cc --device=cpu -w -O0 -DSTATIC=static %s -o own --report own.txt
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=own.txt
// RUN: env ECHO_STATS=1 ./own 2>&1 | FileCheck %s --check-prefix=RAN

// Another file could have them: no, with a hint.
// RUN: %echo_cc --device=cpu -w -O2 %s -o alone --report alone.txt
// RUN: FileCheck %s --check-prefix=ALONE --input-file=alone.txt
// ALONE-NOT: unified
// ALONE: declined S3 pointer-escapes
// ALONE: try {{.*}}-flto

// A function that stays a call reads the variable; or one that runs at exit,
// or on a signal; the variable's address is kept; main can be entered again.
// RUN: %echo_cc --device=cpu -w -O2 -flto -DSHOW='__attribute__((noinline))' %s -o shown --report shown.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=shown.txt
// RUN: %echo_cc --device=cpu -w -O2 -flto -DATEXIT %s -o exits --report exits.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=exits.txt
// RUN: %echo_cc --device=cpu -w -O2 -flto -DKEPT %s -o kept --report kept.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=kept.txt
// RUN: %echo_cc --device=cpu -w -O2 -flto -DJUMPS %s -o jumps --report jumps.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=jumps.txt
// OUT-NOT: out + {{.*}} unified
// OUT: out + {{.*}} dOut {{.*}} declined
// OUT-NOT: out + {{.*}} unified
// RUN: ./whole > whole.out && ./shown | diff whole.out - && ./kept | diff whole.out - && ./jumps | diff whole.out -

// A constructor that runs before main prepares the variable; or tells others
// where it is.
// RUN: %echo_cc --device=cpu -w -O2 -flto -DPREPARED %s -o prepared --report prepared.txt
// RUN: FileCheck %s --check-prefix=PREPARED --input-file=prepared.txt
// PREPARED: dOut {{.*}} unified
// RUN: env ECHO_STATS=1 ./prepared 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: %echo_cc --device=cpu -w -O2 -flto -DPREPARED -DTELLS %s -o tells --report tells.txt
// RUN: FileCheck %s --check-prefix=TELLS --input-file=tells.txt
// TELLS: dOut {{.*}} declined
// TELLS-NOT: dOut {{.*}} unified
// RUN: ./whole > whole.out && ./prepared | diff whole.out - && ./tells | diff whole.out -

// A function without arguments that is too large for the inliner's taste.
// RUN: %echo_cc --device=cpu -w -O2 -flto -DLARGE %s -o large --report large.txt
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=large.txt
// RUN: ./large | tail -n 1 | diff whole.out -

// A function is given to one that is inlined, and is then called by main; or to
// one that stays a call, or to atexit by what runs before main.
// RUN: %echo_cc --device=cpu -w -O2 -flto -DGIVEN= %s -o given --report given.txt
// RUN: FileCheck %s --check-prefix=WHOLE --input-file=given.txt
// RUN: env ECHO_STATS=1 ./given 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: %echo_cc --device=cpu -w -O2 -flto -DGIVEN='__attribute__((noinline))' %s -o calls --report calls.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=calls.txt
// RUN: %echo_cc --device=cpu -w -O2 -flto -DBEFORE %s -o before --report before.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=before.txt
// RUN: ./given | diff whole.out - && ./calls | diff whole.out -

// A file that is no bitcode uses it.
// RUN: echo "extern float *out; float peek() { return out[0]; }" > peek.cpp
// RUN: %clangxx22 -c peek.cpp -o peek.o
// RUN: %echo_cc --device=cpu -w -O2 -flto -DPEEK %s peek.o -o peek --report peek.txt
// RUN: FileCheck %s --check-prefix=OUT --input-file=peek.txt
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#ifndef STATIC
#define STATIC
#endif
#ifndef SHOW
#define SHOW
#endif
STATIC int n;
#ifdef PREPARED
int size();
struct Buffers {
  int count = size();
  float *host = nullptr;
  Buffers();
};
STATIC Buffers outs;
STATIC float *in, *dIn, *dOut;
#else
STATIC float *in, *out, *dIn, *dOut;
#endif
STATIC jmp_buf Buffer;

__global__ void twice(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

#ifdef PREPARED
#define out outs.host
#endif

STATIC void init() {
  in = (float *)malloc(n * sizeof(float));
  out = (float *)malloc(n * sizeof(float));
  cudaMalloc(&dIn, n * sizeof(float));
  cudaMalloc(&dOut, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = 6;
}

STATIC void work() {
  cudaMemcpy(dIn, in, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<(n + 255) / 256, 256>>>(dIn, dOut, n);
  cudaMemcpy(out, dOut, n * sizeof(float), cudaMemcpyDeviceToHost);
}

SHOW STATIC void show() {
#ifdef LARGE
#define FOUR(X) X X X X
  float sum = 0;
  FOUR(FOUR(FOUR(sum = sum * 3 + out[n / 2]; sum -= out[n / 3];)))
  printf("%g\n", sum * 0);
#endif
  printf("%g\n", out[n - 1]);
}

#ifdef GIVEN
GIVEN STATIC void run(void (*what)(), int rounds) {
  for (int i = 0; i < rounds; ++i)
    what();
}
#endif
#ifdef BEFORE
struct Registers {
  Registers() {
    atexit([] { printf("%g\n", out[0]); });
  }
};
STATIC Registers AtStart;
#endif

#ifdef PREPARED
int size() { return rand(); }
Buffers *volatile Told;
Buffers::Buffers() {
#ifdef TELLS
  Told = this;
#endif
}
#endif

#ifdef KEPT
float **volatile Kept;
#endif
#ifdef PEEK
float peek();
#endif

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 1 << 18;
  init();
#ifdef KEPT
  Kept = &out;
#endif
#ifdef ATEXIT
  atexit([] { printf("%g\n", out[0]); });
#endif
#ifdef JUMPS
  if (setjmp(Buffer))
    return 1;
#endif
#ifdef PEEK
  peek();
#endif
  work();
#ifdef GIVEN
  run(show, 1);
#else
  show();
#endif
#if !defined ATEXIT && !defined BEFORE
  free(out);
#endif
  free(in);
  cudaFree(dIn);
  cudaFree(dOut);
}
