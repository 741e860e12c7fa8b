// Inline assembly in a kernel: a plain load reads at its address, a prefetch
// does nothing that shows; whatever else gets an address may keep it.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w -O2 --device=cpu -c %s
#include "../../Inputs/case.h"

__global__ void loads(const float *in, float *out) {
  float x;
  SAFE(asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(in + 4));)
  UNSAFE(asm volatile("ld.relaxed.sys.global.f32 %0, [%1];" : "=f"(x) : "l"(in + 4));)
  out[threadIdx.x] = x;
}
// OK: assembly.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: assembly.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
float reads(float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  loads<<<1, 32>>>(d, out);
  float first = h[0]; // the kernel writes nothing there
  cudaDeviceSynchronize();
  FREE;
  return first;
}

__global__ void fetches(const float *in, float *out) {
  SAFE(asm volatile("prefetch.global.L2 [%0];" ::"l"((size_t)in));)
  UNSAFE(asm volatile("st.global.u64 [%0], %0;" ::"l"((size_t)in) : "memory");)
  out[threadIdx.x] = in[threadIdx.x];
}
// OK: assembly.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: assembly.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void prefetches(float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  fetches<<<1, 32>>>(d, out);
  cudaDeviceSynchronize();
  FREE;
}

__global__ void stores(const float *in, float *out) {
  SAFE(asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(in[0]) : "memory");)
  UNSAFE(asm volatile("st.volatile.global.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(in[0]) : "memory");)
}
// OK: assembly.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: assembly.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
float stored(const float *in) {
  PAIR;
  stores<<<1, 32>>>(in, d);
  DOWN;
  float first = h[0];
  FREE;
  return first;
}

// What the store overwrites the host may not read any more.
__global__ void storesPlain(const float *in, float *out) {
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(in[0]) : "memory");
}
// OK: assembly.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: assembly.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float storedOver(const float *in) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(float first = h[0];)
  storesPlain<<<1, 32>>>(in, d);
  cudaDeviceSynchronize();
  UNSAFE(float first = h[0];)
  FREE;
  return first;
}

// A place in a surface is no address: what the surface is made of is not known.
__global__ void placed(const float *in, float *out) {
  unsigned x;
  SAFE(asm volatile("ld.global.b32 %0, [%1];" : "=r"(x) : "l"((size_t)in));)
  UNSAFE(asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];" : "=r"(x) : "l"((size_t)in), "r"(0));)
  out[threadIdx.x] = x;
}
// OK: assembly.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: assembly.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void inSurface(float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  placed<<<1, 32>>>(d, out);
  cudaDeviceSynchronize();
  FREE;
}
