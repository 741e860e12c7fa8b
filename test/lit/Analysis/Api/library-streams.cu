// The work of a library is in the stream of its handle: the default stream, or
// the one that the handle was given last. A wait for that stream covers it; an
// unknown stream is covered by a wait for the device alone.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "Inputs/library.h"

#define SCALE cublasSscal_v2(handle, Count, &two, d, 1)
#define FFT cufftExecC2C(plan, d, d, -1)
const float two = 2;
void unknown(...);

// A new handle works in the default stream.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void newHandle(cudaStream_t s) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  memset(h, 0, Bytes);
  UP;
  UNSAFE(cublasSetStream_v2(handle, s);)
  SCALE;
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  cublasDestroy_v2(handle);
  FREE;
}

// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void waitForOther(const float *A, float *C, cudaStream_t s, cudaStream_t other) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  cublasSgemm_v2(handle, 0, 0, 512, 512, 512, &two, A, 512, d, 512, &two, C, 512);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(other);)
  h[0] = 1;
  UP;
  cublasDestroy_v2(handle);
  FREE;
}

// The stream of a handle from elsewhere is not known.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void givenHandle(cublasHandle_t handle) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SCALE;
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaStreamSynchronize(0);)
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// Another thread may set the stream of a handle that it knows.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void givenHandleWithStream(cublasHandle_t given, cudaStream_t s) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  UNSAFE(handle = given;)
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// If no handle is created, the variable still holds the old one.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void perhapsTheOldHandle(cublasHandle_t given) {
  PAIR;
  SAFE(cublasHandle_t handle = nullptr;)
  UNSAFE(cublasHandle_t handle = given;)
  cublasCreate_v2(&handle);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void setOnOnePath(bool flag, cudaStream_t s) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  UNSAFE(if (flag))
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// A stream that is set in one iteration is the stream of the next.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void setInLoop(int n, cudaStream_t s) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  for (int i = 0; i < n; ++i) {
    memset(h, i, Bytes);
    UP;
    SCALE;
    UNSAFE(cublasSetStream_v2(handle, s);)
    cudaStreamSynchronize(0);
  }
  FREE;
}

// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void severalStreams(cudaStream_t *streams) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  for (int i = 0; i < 4; ++i) {
    cudaStream_t s = streams[i];
    cublasSetStream_v2(handle, s);
    memset(h, i, Bytes);
    UP;
    SCALE;
    SAFE(cudaDeviceSynchronize();)
    UNSAFE(cudaStreamSynchronize(s);)
  }
  FREE;
}

// A function out of sight that knows the handle may set its stream, also to one
// that is captured.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void knownElsewhere() {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  SAFE(unknown(0);)
  UNSAFE(unknown(handle);)
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// The default stream waits for blocking streams.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-read-in-flight
float blockingStream() {
  PAIR;
  cudaStream_t s;
  SAFE(cudaStreamCreateWithFlags(&s, cudaStreamDefault);)
  UNSAFE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);)
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  DOWN;
  float sum = h[0] + h[1];
  FREE;
  return sum;
}

// A call that fails is not in its stream, which then waits for nothing.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void failingCall(int *flag, float *x) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaMemsetAsync(x, 0, 4, s);)
  UNSAFE(cublasSscal_v2(handle, 1, &two, x, 1);)
  cudaStreamSynchronize(s);
  h[0] = 1;
  UP;
  FREE;
}

// Neither a result on the host nor the end of the handle is a wait.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void noWait(float *result) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  memset(h, 0, Bytes);
  UP;
  cublasSdot_v2(handle, Count, d, 1, d, 1, result);
  SAFE(cudaStreamSynchronize(0);)
  UNSAFE(cublasDestroy_v2(handle);)
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// A plan of cuFFT is an int.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void plan(cudaStream_t s) {
  PAIR;
  cufftHandle plan;
  cufftPlan1d(&plan, Count / 2, 0x29, 1);
  cufftSetStream(plan, s);
  memset(h, 0, Bytes);
  UP;
  FFT;
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(0);)
  memset(h, 1, Bytes);
  UP;
  cufftDestroy(plan);
  FREE;
}

struct Blas {
  cublasHandle_t handle;
  int calls = 0;
  Blas(cudaStream_t s) {
    cublasCreate_v2(&handle);
    cublasSetStream_v2(handle, s);
  }
  ~Blas() { cublasDestroy_v2(handle); }
  void scale(float *d) {
    ++calls;
    cublasSscal_v2(handle, Count, &two, d, 1);
  }
};

// A handle inside an object.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
int handleInObject(cudaStream_t s, cudaStream_t other) {
  PAIR;
  Blas *blas = new Blas(s);
  memset(h, 0, Bytes);
  UP;
  blas->scale(d);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(other);)
  memset(h, 1, Bytes);
  UP;
  int calls = blas->calls;
  delete blas;
  FREE;
  return calls;
}

// Giving a stream of one's own to a handle of one's own shows it to nobody.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void ownStream(cublasHandle_t given) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  UNSAFE(cublasSetStream_v2(given, s);)
  memset(h, 0, Bytes);
  UP;
  SCALE;
  unknown(0);
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}
