// nvcc's -g is about host code: device code has lines by -lineinfo and -G alone.
// In clang's language -g is about both. The CPU device's kernels are host code.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -### -arch=sm_80 -g -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %echo_cc -w -### -Xcompiler -g -gencode=arch=compute_80,code=sm_80 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %echo_cc -w -### -arch=sm_80 -g -lineinfo -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: %echo_cc -w -### --offload-arch=sm_80 -O2 -g -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: %echo_cc -w -### -arch=sm_80 -G -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FULL %s
// RUN: %echo_cc -w -### --device=cpu -arch=sm_80 -g -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CPU %s
// NONE: "nvptx64-nvidia-cuda"
// NONE-NOT: debug-info-kind
// NONE: ptxas"
// NONE-NOT: -lineinfo
// NONE: "x86_64
// NONE-SAME: "-debug-info-kind=constructor"
// LINES: "nvptx64-nvidia-cuda"{{.*}}"-debug-info-kind=line-directives-only"
// LINES: ptxas" {{.*}}"-lineinfo"
// FULL: "nvptx64-nvidia-cuda"{{.*}}"-debug-info-kind=
// FULL: ptxas" {{.*}}"-g"
// CPU: "nvptx64-nvidia-cuda"{{.*}}"-debug-info-kind=
extern "C" __global__ void k(int *p) { p[threadIdx.x] = 1; }
