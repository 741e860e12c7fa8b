// --check: the program follows its pairs on the CPU device; without it nothing
// of that is emitted.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -### -w --check -c %s 2>&1 | FileCheck --check-prefix=JOBS %s
// RUN: not %echo_cc -w --check --device=cuda -c %s -o %t.o 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: %echo_cc -w --check --device=cpu --min-bytes=0 -O1 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck --check-prefix=IR %s < %t.ll
// RUN: %echo_cc -w --device=cpu --min-bytes=0 -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: %echo_cc -w --check --min-bytes=0 %s -o %t
// RUN: env ECHO_CHECK_JSON=%t.json ECHO_CHECK_REPORT=%t.txt %t
// RUN: FileCheck --check-prefix=TEXT %s < %t.txt
// A link that repeats no flags, as CMake's, follows them, too.
// RUN: %echo_cc -w --check --min-bytes=0 -c %s -o %t.o && %echo_cc -w %t.o -o %t.linked
// RUN: env ECHO_CHECK_REPORT=%t.linked.txt %t.linked && FileCheck --check-prefix=TEXT %s < %t.linked.txt
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// JOBS: "--echo-facts-out={{.*}} "--echo-for-cpu=1"{{.*}} "--echo-sanitize-thread=1"
// JOBS: "--echo-unify=0"{{.*}} "--echo-check=1"
// DEVICE: error: --check follows buffers on the CPU device: use --device=cpu, or leave --device out
// NONE-NOT: echo_check
// IR-DAG: @echo_check_place = external thread_local(initialexec) global ptr
// IR-DAG: call void @echo_check_register(
// IR-DAG: call void @echo_check_write4(
// IR-DAG: call void @echo_check_made(
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void k(int *p) { p[threadIdx.x] += 1; }
int main() {
  int *h = (int *)malloc(256);
  int *d;
  cudaMalloc(&d, 256);
  for (int i = 0; i < 64; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(d);
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  int result = h[3] != 4;
  free(h);
  cudaFree(d);
  return result;
}
// TEXT: check.cu:28:19 h + {{.*}}check.cu:30:3 d   unified   safe in this run: 1 block, 2 copies between them
// TEXT: 1 pair: 1 safe in this run, 0 refuted, 0 not followed, 0 not seen
// JSON: "host": { "name": "h", "file": "{{.*}}check.cu", "line": 28, "column": 19 }
// JSON: "result": "safe", "condition": null
