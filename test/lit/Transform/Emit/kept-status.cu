// A copy from another device buffer to a merged host buffer runs, and the host waits after it.
// With two buffers the copy itself reports that the kernel before it stopped: so does the wait.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -w --device=cpu -O0 --min-bytes=0 --report %t.txt %s -o %t && FileCheck --input-file %t.txt %s
// RUN: env ECHO_CPU_DEVICE=thor ECHO_BACKING=managed ECHO_CPU_SCHED=lazy %t
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=0 %s -o %t
// RUN: env ECHO_CPU_DEVICE=thor ECHO_BACKING=managed ECHO_CPU_SCHED=lazy %t
// RUN: env ECHO_CPU_DEVICE=thor ECHO_BACKING=managed ECHO_CPU_SCHED=lazy not %t right
// CHECK: unified
#include <cstdlib>
#include <cuda_runtime.h>

__global__ static void stop(unsigned *d, bool right) {
  if (right)
    d[threadIdx.x] *= 3;
  else
    __trap();
}

int main(int count, char **) {
  unsigned *d, *e;
  cudaMalloc((void **)&d, 96);
  auto *h = (unsigned *)malloc(96);
  cudaMalloc((void **)&e, 96);
  for (unsigned i = 0; i < 24; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 96, cudaMemcpyHostToDevice);
  cudaMemcpy(e, d, 96, cudaMemcpyDeviceToDevice);
  stop<<<1, 24>>>(e, count > 1);
  cudaError_t copied = cudaMemcpy(h, e, 96, cudaMemcpyDefault);
  free(h);
  cudaFree(e);
  cudaFree(d);
  return copied != cudaErrorLaunchFailure;
}
