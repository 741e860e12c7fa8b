// nvcc's flags reach the jobs that they are for, with no other word changed.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -### -c %s -o %t.o -O2 -arch=sm_80 -lineinfo -Xptxas=-v,-dlcm=ca -maxrregcount 32 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: %echo_cc -w -### -c %s -o %t.o -G -use_fast_math --default-stream per-thread 2>&1 | FileCheck --check-prefix=DEBUG %s
// RUN: %echo_cc -w -### -c %s -o %t.o -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=[sm_90,compute_90] 2>&1 | FileCheck --check-prefix=ARCHS %s
// RUN: %echo_cc -c %s -o %t.o --std=c++17 -O 3 -Xcompiler "-Wall -fPIC" -Xcompiler=-g,-DHOST=1 --expt-relaxed-constexpr --extended-lambda -t 2 --define-macro LONG -m64 -Xcudafe --diag_suppress=1 -Wno-deprecated-gpu-targets 2>&1 | FileCheck --check-prefix=QUIET --allow-empty %s
// RUN: %echo_cc -arch=sm_30 -ccbin g++ -fsyntax-only %s -DHOST=1 -DLONG 2>&1 | FileCheck --check-prefix=NOTES %s

// DEVICE: "-cc1" {{.*}}"-triple" "nvptx64-nvidia-cuda"
// DEVICE-SAME: "-target-cpu" "sm_80"
// DEVICE-SAME: "-debug-info-kind=line-directives-only"
// DEVICE: ptxas" {{.*}}"-lineinfo" {{.*}}"-v" "-dlcm=ca" "-maxrregcount=32"
// DEVICE: "-cc1" {{.*}}"-triple" "{{[^n][^"]*}}"
// DEVICE-NOT: "-debug-info-kind

// DEBUG: "-cc1" {{.*}}"-triple" "nvptx64-nvidia-cuda"
// DEBUG-SAME: "-fgpu-default-stream=per-thread"
// DEBUG: ptxas" {{.*}}"-g"
// DEBUG: "-cc1" {{.*}}"-triple" "{{[^n][^"]*}}"
// DEBUG-SAME: "-fgpu-default-stream=per-thread"

// ARCHS: fatbinary"
// ARCHS-SAME: kind=elf,sm=80
// ARCHS-NOT: kind=ptx,sm=80
// ARCHS-SAME: kind=elf,sm=90
// ARCHS-SAME: kind=ptx,sm=90

// QUIET-NOT: warning:
// QUIET-NOT: error:

// NOTES: note: '-ccbin' has no effect: echo-cc compiles host code itself
// NOTES: note: sm_30 is not supported by this CUDA toolkit and compiler; compiling for sm_{{[0-9]+}}
// NOTES-NOT: is not supported

#if !defined(HOST) && !defined(__CUDA__)
#error "a definition is lost"
#endif
__global__ void k(float *p, float q) { p[threadIdx.x] /= q; }
int main() {}
