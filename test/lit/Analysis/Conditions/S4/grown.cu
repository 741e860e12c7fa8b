// A host buffer that grows: a loop allocates the next one, moves what there is,
// and frees the one before, as std::vector does.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#include <vector>

float next(int i);

/// Makes room for one more float, in a new buffer if need be.
#define GROW(...)                                                              \
  if (n == room) {                                                             \
    room = room ? 2 * room : 16;                                               \
    float *more = (float *)malloc(room * sizeof(float));                       \
    if (n)                                                                     \
      memcpy(more, h, n * sizeof(float));                                      \
    __VA_ARGS__;                                                               \
    h = more;                                                                  \
  }

#define UPLOAD cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice)
#define DOWNLOAD cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost)

// The last buffer is the only one.
// OK: [[#@LINE+6]]:10 {{.*}}+ {{.*}}:[[#@LINE+10]]:3 d {{.*}} guarded
// BAD: [[#@LINE+6]]:12 {{.*}}+ {{.*}}:[[#@LINE+9]]:3 d {{.*}} declined S4 instance-mismatch
void last(int end, int *flag) {
  float *h = nullptr, *d;
  int n = 0, room = 0;
  for (int i = 0; i < end; ++i) {
    SAFE(GROW(free(h)))
    UNSAFE(GROW(if (i & 1) free(h)))
    h[n++] = i;
  }
  cudaMalloc(&d, n * sizeof(float));
  UPLOAD;
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(d);
  free(h);
}

// None comes while the device buffer is there.
// OK: [[#@LINE+7]]:7 {{.*}}+ {{.*}}:[[#@LINE+10]]:9 d {{.*}} guarded
// BAD: [[#@LINE+6]]:7 {{.*}}+ {{.*}}:[[#@LINE+9]]:9 d {{.*}} declined S4 instance-mismatch
void noneWhileShared(int end, int *flag) {
  for (int round = 1; round < end; ++round) {
    float *h = nullptr, *d;
    int n = 0, room = 0;
    for (int i = 0; i < round; ++i) {
      GROW(free(h))
      h[n++] = i;
    }
    if (cudaMalloc(&d, n * sizeof(float))) exit(1);
    UPLOAD;
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
    SAFE(cudaFree(d);)
    free(h);
  }
}

// Its content goes on into the next one, in another round.
// OK: [[#@LINE+7]]:7 {{.*}}+ {{.*}}:[[#@LINE+11]]:5 d {{.*}} guarded
// BAD: [[#@LINE+6]]:7 {{.*}}+ {{.*}}:[[#@LINE+10]]:5 d {{.*}} declined S1 device-write-live-host
void content(int end, int count, int *flag) {
  float *h = nullptr, *d;
  int n = 0, room = 0;
  for (int round = 0; round < end; ++round) {
    for (int i = 0; i < count; ++i) {
      GROW(free(h))
      h[n++] = i;
    }
    size_t bytes = count * sizeof(float);
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    SAFE(readOnly<<<1, 1>>>(d, flag);)
    UNSAFE(update<<<1, 1>>>(d);)
    cudaDeviceSynchronize();
    cudaFree(d);
  }
  free(h);
}

// Device buffers of one size, where it stays for several.
// OK: [[#@LINE+7]]:7 {{.*}}+ {{.*}}:[[#@LINE+11]]:5 d {{.*}} guarded
// BAD: [[#@LINE+6]]:7 {{.*}}+ {{.*}}:[[#@LINE+10]]:5 d {{.*}} declined S4 instance-mismatch
void sizes(int end, int count, int *flag) {
  float *h = nullptr, *d;
  int n = 0, room = 0;
  for (int round = 1; round < end; ++round) {
    for (int i = 0; i < count; ++i) {
      GROW(free(h))
      h[n++] = i;
    }
    size_t bytes = count SAFE() UNSAFE(/ round) * sizeof(float);
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
    cudaFree(d);
  }
  free(h);
}

// std::vector itself, up and down.
// OK: [[#@LINE+5]]:7 {{.*}}+ {{.*}}:[[#@LINE+8]]:3 d {{.*}} guarded
// BAD: [[#@LINE+4]]:7 {{.*}}+ {{.*}}:[[#@LINE+7]]:3 d {{.*}} declined S1 device-write-live-host
float vector(int end) {
  std::vector<float> h;
  for (int i = 0; i < end; ++i)
    h.push_back(i);
  float *d;
  int n = end;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  SAFE(cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);)
  cudaFree(d);
  return h[1];
}

// It is gone, and the rewrite knows it, before the device buffer comes.
// OK: [[#@LINE+6]]:5 {{.*}}+ {{.*}}:[[#@LINE+14]]:3 d {{.*}} guarded
// BAD: [[#@LINE+5]]:5 {{.*}}+ {{.*}}:[[#@LINE+13]]:3 d {{.*}} declined S4 instance-mismatch
float gone(int end, size_t bytes, bool drop) {
  float *h = nullptr, *d;
  int n = 0, room = 0;
  for (int i = 0; i < end; ++i) {
    GROW(free(h))
    h[n++] = i;
  }
  if (drop) {
    SAFE(free(h);)
    UNSAFE(free(realloc(h, 8));)
    h = nullptr;
  }
  cudaMalloc(&d, bytes);
  update<<<1, 1>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d);
  float seen = h ? h[1] : 0;
  free(h);
  return seen;
}
