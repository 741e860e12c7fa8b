// What the analysis cannot see or follow is refused, and named.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../Inputs/case.h"
#include <csetjmp>
#include <vector>
extern "C" void unknown(void *);
extern "C" int (*indirect)(float *);
static int visible(const float *p, int n) { return p[n] > 0; }
__global__ void declared(float *);
struct View {
  float *p;
  int n;
};
__device__ View *kept;
__global__ void aggregate(View v) { kept = &v; }
__global__ void view(View v) { v.p[0] = v.n; }
__global__ void keep(float **where, float *what) { *where = what; }
__global__ void systemAtomics(float *p) { atomicAdd_system(p, 1.0f); }
__global__ void deviceAtomics(float *p) { atomicAdd(p, 1.0f); }

// A function that is seen or has a model.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unknown-call
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} 'unknown'
void call(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  SAFE(flag[0] = visible(h, 3) + memcmp(h, h + 4, 16);)
  UNSAFE(unknown(h);)
  UP;
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unknown-call
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} an indirect call
void indirectCall(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  SAFE(flag[0] = indirect(nullptr);)
  UNSAFE(flag[0] = indirect(h);)
  UP;
  FREE;
}

// A kernel without a body in this command.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unknown-kernel
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} kernel 'declared'
void unknownKernel() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(update<<<1, 256>>>(d);)
  UNSAFE(declared<<<1, 256>>>(d);)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage kernel-aggregate
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} kernel 'aggregate'
void inStruct() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(view<<<1, 1>>>(View{d, 1});)
  UNSAFE(aggregate<<<1, 1>>>(View{d, 1});)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 captured-by-kernel
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} kernel 'keep'
void captured(float **where, float *what) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(keep<<<1, 1>>>(where, what);)
  UNSAFE(keep<<<1, 1>>>(where, d);)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage system-atomics
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} kernel 'systemAtomics'
void atomics() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(deviceAtomics<<<1, 1>>>(d);)
  UNSAFE(systemAtomics<<<1, 1>>>(d);)
  FREE;
}

// Capturing a stream into a graph: the work comes later, and perhaps again.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage stream-capture
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} cudaStreamBeginCapture
void capture(int *flag, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaStreamQuery(s);)
  UNSAFE(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);)
  readOnly<<<1, 1, 0, s>>>(d, flag);
  FREE;
}

// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined coverage complex-control
// BAD-NEXT: [[#@LINE+4]]:{{[0-9]+}} setjmp
jmp_buf place;
void jumps() {
  PAIR;
  UNSAFE(if (setjmp(place)) return;)
  memset(h, 0, Bytes);
  UP;
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage complex-control
// BAD-NEXT: [[#@LINE+4]]:{{[0-9]+}} inline assembly
void assembly() {
  PAIR;
  SAFE(asm volatile("" ::: "memory");)
  UNSAFE(asm volatile("" : : "r"(h) : "memory");)
  memset(h, 0, Bytes);
  UP;
  FREE;
}

// A kernel that is given the host pointer itself.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage ambiguous-pointer
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} kernel 'readOnly' takes a pointer that may be the host buffer
void hostPointer(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(readOnly<<<1, 1>>>(d, flag);)
  UNSAFE(readOnly<<<1, 1>>>(h, flag);)
  FREE;
}

// Host code that uses the device pointer itself.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
float devicePointer() {
  PAIR;
  DOWN;
  SAFE(float seen = h[0];)
  UNSAFE(float seen = d[0];)
  FREE;
  return seen;
}

// A CUDA call that is known by name only.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} cudaStreamAttachMemAsync
void prefetch(float *managed, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachHost);)
  UNSAFE(cudaStreamAttachMemAsync(s, d, 0, cudaMemAttachHost);)
  FREE;
}

// A callback may use what it is given at any time.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage unmodelled-api
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} cudaLaunchHostFunc
void callback(cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaLaunchHostFunc(s, unknown, nullptr);)
  UNSAFE(cudaLaunchHostFunc(s, unknown, h);)
  FREE;
}

// OK: 13 pairs: 13 unified
// BAD: 13 pairs: 13 declined
