// What a kernel may do with an address and not keep it: ask whether it is null,
// compare it with others in the same buffer, align it, give it or the struct
// that it is in to a function that does no more.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w -O2 --device=cpu -c %s
#include "../../Inputs/case.h"

// A place inside the buffer that is null or not.
__global__ void chosen(const float *in, int at, float *out) {
  const float *place = at > 3 ? in + at : nullptr;
  SAFE(if (place))
  UNSAFE(if (place != out))
    out[threadIdx.x] = *place;
}
// OK: kernel-pointers.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kernel-pointers.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void choice(float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  chosen<<<1, 32>>>(d, 5, out);
  cudaDeviceSynchronize();
  FREE;
}

// The word around a smaller value.
__global__ void bytewise(unsigned short *inout) {
  size_t n = (size_t)inout + threadIdx.x * 0;
  unsigned *word = (unsigned *)(n & ~(size_t)3);
  SAFE(atomicAdd(word, n & 2 ? 1 << 16 : 1);)
  UNSAFE(atomicAdd(word, n & 4096 ? 1 << 16 : 1);)
}
// OK: kernel-pointers.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kernel-pointers.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void words() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bytewise<<<1, 32>>>((unsigned short *)d);
  DOWN;
  FREE;
}

// A loop over pointers.
__global__ void sum(const float *in, const float *other, int n, float *out) {
  float s = 0;
  SAFE(for (const float *p = in; p != in + n; p += threadIdx.x))
  UNSAFE(for (const float *p = in; p != other + n; p += threadIdx.x))
    s += *p;
  *out = s;
}
// OK: kernel-pointers.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kernel-pointers.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void sums(const float *other, float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  sum<<<1, 1>>>(d, other, 32, out);
  cudaDeviceSynchronize();
  FREE;
}

// A function that stays a call, and gets a struct by reference.
struct Pointers {
  float *a;
  const float **kept;
};
__device__ __noinline__ void fill(const Pointers &p, int i) {
  SAFE(if (p.a))
  UNSAFE(*p.kept = p.a;)
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p.a + i), "f"(1.0f) : "memory");
}
__global__ void fills(Pointers p) { fill(p, threadIdx.x); }
// OK: kernel-pointers.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kernel-pointers.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 {{captured-by-kernel|kernel-aggregate}}
float filled(const float **kept) {
  PAIR;
  Pointers p = {d, kept};
  fills<<<1, 32>>>(p);
  DOWN;
  float first = h[0];
  FREE;
  return first;
}

// Which threads of a warp have the same place; or the same of two buffers.
__global__ void together(int *counts, int *others, int n) {
  int *place = counts + threadIdx.x % n;
  UNSAFE(if (threadIdx.x % 3 == 0) place = others;)
  unsigned same = __match_any_sync(~0u, (unsigned long long)place);
  if (threadIdx.x % 32 == __ffs(same) - 1)
    atomicAdd(place, __popc(same));
}
// OK: kernel-pointers.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kernel-pointers.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 captured-by-kernel
void matches(int *others, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  together<<<1, 32>>>((int *)d, others, n);
  DOWN;
  FREE;
}
