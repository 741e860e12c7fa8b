// nvcc optimizes device code whatever -O says, but with -G; -O is about host
// code. In clang's language -O is about both.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -arch=sm_80 -S --cuda-device-only %s -o - | FileCheck --check-prefix=FAST %s
// RUN: %echo_cc -w -arch=sm_80 -O0 -lineinfo -S --cuda-device-only %s -o - | FileCheck --check-prefix=FAST %s
// RUN: %echo_cc -w -arch=sm_80 -G -O2 -S --cuda-device-only %s -o - | FileCheck --check-prefix=SLOW %s
// RUN: %echo_cc -w --offload-arch=sm_80 -S --cuda-device-only %s -o - | FileCheck --check-prefix=SLOW %s
// RUN: %echo_cc -w -arch=sm_80 -O0 -S -emit-llvm --cuda-host-only %s -o - | FileCheck --check-prefix=HOST %s
// RUN: %echo_cc -w -arch=sm_80 -lineinfo -c %s -o %t.o
// FAST: .entry k
// FAST-NOT: .local
// FAST: ret;
// SLOW: .local
// HOST: define{{.*}} @host
// HOST: alloca
extern "C" __global__ void k(int *p) {
  int i = threadIdx.x;
  p[i] = i;
}
extern "C" int host(int x) { return x + 1; }
