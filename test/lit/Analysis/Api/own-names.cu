// A program may have a function of its own under the name of a library's: its
// declaration is another one, or its body is in sight.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include <cstddef>
#ifdef BLOCKED
extern "C" {
void link(const char *, const char *); // no result
int truncate(const char *, int);       // another number
int access(const char *, float);       // no number
int unlink(const char *, ...);         // more arguments
}
static char *kept;
extern "C" __attribute__((noinline)) int rmdir(const char *name) {
  kept = (char *)name;
  return *kept;
}
#else
extern "C" {
int link(const char *, const char *) noexcept;
int truncate(const char *, long) noexcept;
int access(const char *, int) noexcept;
int unlink(const char *) noexcept;
int rmdir(const char *) noexcept;
}
#endif
extern "C" {
void *malloc(size_t) noexcept;
void free(void *) noexcept;
}
constexpr size_t Bytes = 1 << 20;
__global__ void update(float *inout) { inout[threadIdx.x] += 1; }
#define TEST(call)                                                             \
  float *h = (float *)malloc(Bytes), *d;                                       \
  cudaMalloc(&d, Bytes);                                                       \
  h[0] = h[1] = 0;                                                             \
  call;                                                                        \
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);                             \
  update<<<1, 256>>>(d);                                                       \
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);                             \
  free(h);                                                                     \
  cudaFree(d)

// OK: own-names.cu:[[#@LINE+2]]:{{.*}} h + {{.*}} unified
// BAD: own-names.cu:[[#@LINE+1]]:{{.*}} h + {{.*}} declined
void linked() { TEST(link((char *)h, "name")); }

// OK: own-names.cu:[[#@LINE+2]]:{{.*}} h + {{.*}} unified
// BAD: own-names.cu:[[#@LINE+1]]:{{.*}} h + {{.*}} declined
void truncated() { TEST(truncate((char *)h, 9)); }

// OK: own-names.cu:[[#@LINE+2]]:{{.*}} h + {{.*}} unified
// BAD: own-names.cu:[[#@LINE+1]]:{{.*}} h + {{.*}} declined
void accessed() { TEST(access((char *)h, 0)); }

// OK: own-names.cu:[[#@LINE+2]]:{{.*}} h + {{.*}} unified
// BAD: own-names.cu:[[#@LINE+1]]:{{.*}} h + {{.*}} declined
void unlinked() { TEST(unlink((char *)h)); }

// OK: own-names.cu:[[#@LINE+2]]:{{.*}} h + {{.*}} unified
// BAD: own-names.cu:[[#@LINE+1]]:{{.*}} h + {{.*}} declined
void removed() { TEST(rmdir((char *)h)); }
