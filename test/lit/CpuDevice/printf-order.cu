// Where device printf comes out among the host's output: the same in the plain
// program, under ThreadSanitizer and under --check, and on every schedule.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu --no-unify -O1 %s -o %t
// RUN: env ECHO_CPU_SCHED=eager %t | FileCheck %s
// RUN: env ECHO_CPU_SCHED=lazy %t | FileCheck %s
// RUN: %echo_cc -w --device=cpu --no-unify -O1 -fsanitize=thread %s -o %t.tsan
// RUN: env ECHO_CPU_SCHED=eager setarch -R %t.tsan | FileCheck %s
// RUN: env ECHO_CPU_SCHED=lazy setarch -R %t.tsan | FileCheck %s
// RUN: %echo_cc -w --check -O1 %s -o %t.check
// RUN: env ECHO_CPU_SCHED=eager ECHO_CHECK_REPORT=/dev/null %t.check | FileCheck %s
// RUN: env ECHO_CPU_SCHED=lazy ECHO_CHECK_REPORT=/dev/null %t.check | FileCheck %s
// CHECK: down, pageable: KH
// CHECK-NEXT: down, pinned: KH
// CHECK-NEXT: up, pageable: KH
// CHECK-NEXT: up, pinned: KH
// CHECK-NEXT: on the host: KH
// CHECK-NEXT: down, pageable, async: HK
// CHECK-NEXT: up, pageable, async: HK
// CHECK-NEXT: up, pinned, async: HK
// CHECK-NEXT: down, pageable, async, then a launch: KH
// CHECK-NEXT: up, pageable, async, then a launch: HK
// CHECK-NEXT: set, then a launch: HK
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

constexpr size_t Bytes = 4096;

static __global__ void say() { printf("K"); }
static __global__ void nothing() {}

template <typename Fn> static void order(const char *name, Fn call) {
  printf("%s: ", name);
  say<<<1, 1>>>();
  // Where it may run at once, it is done when the call is made.
  usleep(20000);
  call();
  printf("H");
  cudaDeviceSynchronize();
  printf("\n");
}

int main() {
  char *h = (char *)calloc(Bytes, 1), *other = (char *)calloc(Bytes, 1), *pinned, *d;
  cudaMallocHost(&pinned, Bytes);
  cudaMalloc(&d, Bytes);
  cudaMemset(d, 0, Bytes);
  cudaDeviceSynchronize();
  order("down, pageable", [=] { cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost); });
  order("down, pinned", [=] { cudaMemcpy(pinned, d, Bytes, cudaMemcpyDeviceToHost); });
  order("up, pageable", [=] { cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice); });
  order("up, pinned", [=] { cudaMemcpy(d, pinned, Bytes, cudaMemcpyHostToDevice); });
  order("on the host", [=] { cudaMemcpy(other, h, Bytes, cudaMemcpyHostToHost); });
  order("down, pageable, async", [=] { cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost); });
  order("up, pageable, async", [=] { cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice); });
  order("up, pinned, async", [=] { cudaMemcpyAsync(d, pinned, Bytes, cudaMemcpyHostToDevice); });
  order("down, pageable, async, then a launch", [=] {
    cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost);
    nothing<<<1, 1>>>();
  });
  order("up, pageable, async, then a launch", [=] {
    cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice);
    nothing<<<1, 1>>>();
  });
  order("set, then a launch", [=] {
    cudaMemset(d, 0, Bytes);
    nothing<<<1, 1>>>();
  });
  printf("%d %d\n", h[1], other[1]);
}
