// --repair adds the wait that a pair lacks where it is enough: for the work's
// stream where that is known, outside of the loop that reads. Not where other
// conditions fail, where the wait would run more often than the copy, nor
// without the option.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc --device=cpu -w -O1 --repair %s -o %t --report %t.txt
// RUN: FileCheck %s --check-prefix=ADDED --input-file=%t.txt
// RUN: %echo_cc --device=cpu -w -O1 %s -o %t.plain --report %t.plain.txt
// RUN: FileCheck %s --check-prefix=PLAIN --input-file=%t.plain.txt
// RUN: env ECHO_CPU_SCHED=lazy %t > %t.out
// RUN: env ECHO_CPU_SCHED=eager %t.plain | diff %t.out -
// RUN: %echo_cc --device=cpu -w --repair -O1 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// ADDED: late + {{.*}} dLate {{.*}} unified {{.*}} 1 wait added before
// ADDED: spread + {{.*}} dSpread {{.*}} unified {{.*}} 1 wait added before
// ADDED: often + {{.*}} dOften {{.*}} declined S2 host-write-in-flight
// ADDED: live + {{.*}} dLive {{.*}} declined S1
// PLAIN-NOT: unified
// PLAIN: late + {{.*}} declined S2 host-write-in-flight
// PLAIN: try cudaDeviceSynchronize() before
// PLAIN-NOT: unified
// IR-LABEL: define {{.*}} @_Z5afterv
// IR: call void @echort_wait(i32 {{[0-9]+}}, ptr %
// IR: store float
// IR: call i32 @cudaStreamSynchronize(ptr
// IR-LABEL: define {{.*}} @_Z4loopv
// IR: call void @echort_wait(i32 {{[0-9]+}}, ptr null)
#include "../../../Inputs/case.h"

__global__ void count(const float *in, float *out) { out[0] = in[0] + 1; }

void after() {
  float *late = (float *)malloc(Bytes), *dLate, *out;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMalloc(&dLate, Bytes);
  cudaMalloc(&out, 4);
  memset(late, 0, Bytes);
  cudaMemcpy(dLate, late, Bytes, cudaMemcpyHostToDevice);
  count<<<1, 1, 0, s>>>(dLate, out);
  late[0] = 5; // the kernel may still read
  cudaStreamSynchronize(s);
  float result;
  cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(dLate);
  cudaFree(out);
  free(late);
}

void loop() {
  float *spread = (float *)malloc(Bytes), *dSpread, *out;
  cudaMalloc(&dSpread, Bytes);
  cudaMalloc(&out, 4);
  memset(spread, 0, Bytes);
  cudaMemcpy(dSpread, spread, Bytes, cudaMemcpyHostToDevice);
  count<<<1, 1>>>(dSpread, out);
  for (int i = 0; i < Count; ++i)
    spread[i] = i;
  float result;
  cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(dSpread);
  cudaFree(out);
  free(spread);
}

void each() {
  float *often = (float *)malloc(Bytes), *dOften, *out;
  cudaMalloc(&dOften, Bytes);
  cudaMalloc(&out, 4);
  memset(often, 0, Bytes);
  cudaMemcpy(dOften, often, Bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) {
    cudaMemset(dOften, 0, Bytes);
    count<<<1, 1>>>(dOften, out);
    often[1] = i;
  }
  cudaDeviceSynchronize();
  cudaFree(dOften);
  cudaFree(out);
  free(often);
}

void needed() {
  float *live = (float *)malloc(Bytes), *dLive, *out;
  cudaMalloc(&dLive, Bytes);
  cudaMalloc(&out, 4);
  memset(live, 0, Bytes);
  cudaMemcpy(dLive, live, Bytes, cudaMemcpyHostToDevice);
  count<<<1, 1>>>(dLive, out);
  live[0] = 5;
  count<<<1, 1>>>(dLive, out); // reads what the host would overwrite
  float result;
  cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(dLive);
  cudaFree(out);
  free(live);
}

int main() {
  after();
  loop();
  each();
  needed();
}
