// A linking copy runs where its device buffer is no block of its own any more.
// With cudaMemcpyDefault CUDA takes a managed block for the device's memory,
// and returns before the copy is done: the host waits behind it.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -w --cuda-host-only -O1 -S -emit-llvm -mllvm -echo-share-calls=false --min-bytes=0 %s -o - | FileCheck --check-prefix=UNSAID %s
// RUN: %echo_cc -w --cuda-host-only -O1 -S -emit-llvm -mllvm -echo-share-calls=false --min-bytes=0 -DSAID %s -o - | FileCheck --check-prefix=SAID %s
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=0 %s -o %t
// RUN: env ECHO_BACKING=managed ECHO_CPU_SCHED=lazy %t
// RUN: env ECHO_BACKING=managed ECHO_CPU_SCHED=eager %t
#include <cstdlib>
#include <cuda_runtime.h>
#ifdef SAID
#define KIND cudaMemcpyDeviceToHost
#else
#define KIND cudaMemcpyDefault
#endif

// UNSAID: call i32 @echort_linking_copy({{.*}}, i32 609, ptr null, ptr {{.*}}, ptr {{.*}}, i64 4)
// UNSAID: call i32 @cudaMemcpy({{.*}}, i32 noundef 4)
// UNSAID: call i32 @echort_kept_copy({{.*}}, i32 1, ptr null)
// SAID: call i32 @cudaMemcpy({{.*}}, i32 noundef 2)
// SAID-NOT: call i32 @echort_linking_copy
int main() {
  unsigned sum = 0, *d;
  auto *h = (unsigned *)malloc(4);
  for (unsigned i = 0; i < 3; ++i) {
    if (cudaMalloc((void **)&d, 4)) // the one before is not freed
      return 2;
    *h = i;
    cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, 4, KIND);
    sum = sum * 31 + *h;
  }
  free(h);
  return sum != 33;
}
