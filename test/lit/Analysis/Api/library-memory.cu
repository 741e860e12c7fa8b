// What library calls do with buffers: device memory, in their stream; scalars
// and results, in either memory; and what they may keep, which declines.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "Inputs/library.h"

#define HANDLE                                                                 \
  cublasHandle_t handle;                                                       \
  cublasCreate_v2(&handle)
const float two = 2;

// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float inputStays(float *other) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  SAFE(cublasSgemm_v2(handle, 0, 0, 512, 512, 512, &two, d, 512, d, 512, &two, other, 512);)
  UNSAFE(cublasSgemm_v2(handle, 0, 0, 512, 512, 512, &two, other, 512, other, 512, &two, d, 512);)
  cudaDeviceSynchronize();
  float sum = h[0];
  FREE;
  return sum;
}

// "Out-of-place complex-to-real FFT will always overwrite input buffer."
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float complexToReal(float *other) {
  PAIR;
  cufftHandle plan;
  SAFE(cufftPlan1d(&plan, 4096, 0x29, 32);)
  UNSAFE(cufftPlan1d(&plan, 4096, 0x2c, 32);)
  memset(h, 0, Bytes);
  UP;
  SAFE(cufftExecC2C(plan, d, other, 1);)
  UNSAFE(cufftExecC2R(plan, d, other);)
  cudaDeviceSynchronize();
  float sum = h[0];
  FREE;
  return sum;
}

// Who else knows the plan may have set callbacks, which write what they load.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float callbacks(float *other, cufftHandle given) {
  PAIR;
  cufftHandle plan;
  cufftPlan1d(&plan, 4096, 0x29, 32);
  memset(h, 0, Bytes);
  UP;
  SAFE(cufftExecC2C(plan, d, other, 1);)
  UNSAFE(cufftExecC2C(given, d, other, 1);)
  cudaDeviceSynchronize();
  float sum = h[0];
  FREE;
  return sum;
}

extern "C" int cufftXtSetCallback(cufftHandle, void **, int, void **);
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined
float setsCallback(float *other, void **callback) {
  PAIR;
  cufftHandle plan, second;
  cufftPlan1d(&plan, 4096, 0x29, 32);
  cufftPlan1d(&second, 4096, 0x29, 32);
  SAFE(cufftXtSetCallback(second, callback, 0, nullptr);)
  UNSAFE(cufftXtSetCallback(plan, callback, 0, nullptr);)
  memset(h, 0, Bytes);
  UP;
  cufftExecC2C(plan, d, other, 1);
  cudaDeviceSynchronize();
  float sum = h[0];
  FREE;
  return sum;
}

// A plan that is kept in a variable that others see.
cufftHandle shared;
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float sharedPlan(float *other) {
  PAIR;
  cufftHandle plan;
  cufftPlan1d(&plan, 4096, 0x29, 32);
  UNSAFE(shared = plan;)
  memset(h, 0, Bytes);
  UP;
  cufftExecC2C(plan, d, other, 1);
  cudaDeviceSynchronize();
  float sum = h[0];
  FREE;
  return sum;
}

// The device reads a scalar in device memory later.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void scalarOnDevice(float *other) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  SAFE(cublasSscal_v2(handle, Count, &two, other, 1);)
  UNSAFE(cublasSscal_v2(handle, Count, d, other, 1);)
  h[0] = 1;
  UP;
  FREE;
}

// The host reads a scalar in host memory.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void scalarOnHost(float *other) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(cublasSscal_v2(handle, Count, &two, other, 1);)
  UNSAFE(cublasSscal_v2(handle, Count, h, other, 1);)
  FREE;
}

// Or the device does, later: then a wait must come before the GPU's next write.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 copy-in-flight
void scalarReadLater(float *other, cudaStream_t s, cudaStream_t t) {
  PAIR;
  HANDLE;
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, h, other, 1);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  update<<<1, 256>>>(d);
  FREE;
}

// A result on the host is a write of the host.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void resultOnHost(int *flag, const float *other) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  cublasSdot_v2(handle, Count, other, 1, other, 1, h);
  cudaDeviceSynchronize();
  UP;
  FREE;
}

// Which comes first, the result or the read of another buffer, is not said.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void resultBesideInput(float *result) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  SAFE(cublasSdot_v2(handle, Count, d, 1, d, 1, result);)
  UNSAFE(cublasSdot_v2(handle, Count, d, 1, d, 1, h);)
  cudaDeviceSynchronize();
  UP;
  FREE;
}

// A generator for host memory.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void generatedOnHost(int *flag) {
  PAIR;
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  for (int i = 0; i < 2; ++i) {
    curandGenerateUniform(generator, h, Count);
    cudaDeviceSynchronize();
    UP;
    readOnly<<<1, 1>>>(d, flag);
    SAFE(cudaDeviceSynchronize();)
  }
  curandDestroyGenerator(generator);
  FREE;
}

// A call that fails writes nothing, so that h's old content may stay.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float generatesNothing() {
  PAIR;
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 1, Bytes);)
  UNSAFE(curandGenerateUniform(generator, h, Count);)
  float sum = h[0];
  FREE;
  return sum;
}

// The same with device memory: a transform that fails leaves what d was.
// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float outputIsPartial() {
  PAIR;
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes), LOOK;
  SAFE(UP;)
  curandGenerateUniform(generator, d, Count);
  DOWN;
  float sum = h[0];
  FREE;
  return sum;
}

// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void copyOfLibrary() {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  SAFE(DOWN;)
  UNSAFE(cublasGetVector(Count / 2, sizeof(float), d, 2, h, 1);)
  cudaDeviceSynchronize();
  FREE;
}

// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void workspaceIsKept(void *other) {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  SAFE(cublasSetWorkspace_v2(handle, other, Bytes);)
  UNSAFE(cublasSetWorkspace_v2(handle, d, Bytes);)
  FREE;
}

// OK: library-memory.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-memory.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void hostBufferAsMatrix() {
  PAIR;
  HANDLE;
  memset(h, 0, Bytes);
  UP;
  SAFE(cublasSscal_v2(handle, Count, &two, d, 1);)
  UNSAFE(cublasSscal_v2(handle, Count, &two, h, 1);)
  cudaDeviceSynchronize();
  FREE;
}
