// What the device job finds is what the host job of the same command reads.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -### -w -arch=sm_75 -O2 -c %s -o a.o 2>&1 | grep -e '--echo-facts-out' | sed 's/.*-cc1"\(.*\) "--echo-facts-out=[^"]*"/\1/' > args
// RUN: echo '"-cc1" "--echo-facts-out=facts"' > rsp && cat args >> rsp
// RUN: %echo_cc @rsp && FileCheck --input-file=facts %s
// RUN: %echo_cc -### -w -arch=sm_75 -O0 -c %s -o a.o 2>&1 | grep -e '--echo-facts-out' | sed 's/.*-cc1"\(.*\) "--echo-facts-out=[^"]*"/\1/' > args
// RUN: echo '"-cc1" "--echo-facts-out=facts0"' > rsp && cat args >> rsp
// RUN: %echo_cc @rsp && FileCheck --input-file=facts0 %s
// CHECK: _Z3padPi pointer:-
// CHECK-NEXT: _Z3ptxPi calls-unknown pointer:-
// CHECK-NEXT: _Z4aggr4View5Plain holder:0-8:w,8-16:c value
// CHECK-NEXT: _Z4holdPPfS_ pointer:w pointer:rwc
// CHECK-NEXT: _Z4stepIfEvPT_ pointer:rw{{$}}
// CHECK-NEXT: _Z4twinPf pointer:rw{{$}}
// CHECK-NEXT: _Z5againPPfPi pointer:
// CHECK-NEXT: _Z5otherPPfS_Pi looks-at-addresses pointer:
// CHECK-NEXT: _Z5plainPf pointer:
// CHECK-NEXT: _Z6atomicPi pointer:rw{{$}}
// CHECK-NEXT: _Z6systemPi system-atomics pointer:rw
// CHECK-NEXT: _Z6vectorPfPKfi pointer:w pointer:r value
// RUN: FileCheck --check-prefix=FAST --input-file=facts %s
// FAST: _Z5plainPf pointer:-{{$}}
struct View {
  float *p;
  int n;
};
struct Plain {
  int a, b;
};
__global__ void vector(float *out, const float *in, int n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void hold(float **where, float *what) { *where = what; }
__global__ void atomic(int *p) { atomicAdd(p, 1); }
__global__ void system(int *p) { atomicAdd_system(p, 1); }
__global__ void aggr(View v, Plain q) { v.p[0] = q.a + v.n; }
// The text may name the kernel's parameters.
__global__ void pad(int *p) { asm volatile("{ .reg .u64 a; mov.u64 a, 0; }"); }
__global__ void ptx(int *p) {
  asm volatile("{ .reg .u64 a; ld.param.u64 a, [_Z3ptxPi_param_0]; }");
}
// A comparison with an address that is read from memory, on either side.
__global__ void again(float **table, int *same) {
  *same = table[0] + threadIdx.x == table[0];
}
__global__ void other(float **table, float *p, int *same) {
  *same = p + threadIdx.x == table[0];
}
// The write is gone once this is optimized; another unit's copy of the template
// may not be.
__global__ void plain(float *p) {
  float t = p[0];
  p[0] = -1;
  p[0] = t;
}
template <class T> __global__ void step(T *p) {
  T t = p[0];
  p[0] = -1;
  p[0] = t;
}
inline __global__ void twin(float *p) {
  float t = p[0];
  p[0] = -1;
  p[0] = t;
}
void start(float *p) {
  step<float><<<1, 1>>>(p);
  twin<<<1, 1>>>(p);
}
