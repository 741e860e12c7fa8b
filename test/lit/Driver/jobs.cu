// CUDA jobs run in echo-cc and hand facts over; other jobs are clang's own.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -### -w --offload-arch=sm_80 -c %s 2>&1 | FileCheck %s
// RUN: %echo_cc -### -w --offload-arch=sm_80 --offload-arch=sm_90 -c %s 2>&1 | FileCheck --check-prefix=TWO %s
// Architectures of CUDA 13 get its PTX, in clang's spelling and in nvcc's.
// RUN: %echo_cc -### -w --cuda-gpu-arch=sm_110 -c %s 2>&1 | FileCheck --check-prefix=PTX %s
// RUN: %echo_cc -### -w -arch=sm_110 -c %s 2>&1 | FileCheck --check-prefix=PTX %s
// RUN: %echo_cc -### -w --offload-arch=sm_80 -c %s 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: %echo_cc -### -w -fatbin -gencode arch=compute_80,code=[sm_80,compute_80] %s 2>&1 | FileCheck --check-prefix=FATBIN %s
// RUN: %echo_cc -### -w -c %S/Inputs/plain.c 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %echo_cc -### -w -E %s 2>&1 | FileCheck --check-prefix=PP %s

// CHECK: echo-cc" "-cc1" "--echo-facts-out=[[FACTS:[^"]*]]" {{.*}}"-fcuda-is-device"
// CHECK: ptxas
// CHECK: fatbinary
// CHECK: echo-cc" "-cc1" "--echo-source={{[^"]*}}jobs.cu"{{.*}} "--echo-facts-in=[[FACTS]]"
// CHECK-SAME: "-include" "__clang_cuda_runtime_wrapper.h" "-include" "echo_nvcc_compat.h"
// CHECK-SAME: "-fcuda-include-gpubinary"

// TWO: "--echo-facts-out=[[A:[^"]*]]"{{.*}}"sm_80"
// TWO: "--echo-facts-out=[[B:[^"]*]]"{{.*}}"sm_90"
// TWO: "--echo-facts-in=[[A]]" "--echo-facts-in=[[B]]"

// PTX: "-cc1" {{.*}}"-target-feature" "+ptx90"
// OLD-NOT: +ptx90
// FATBIN: fatbinary" {{.*}}"--create" "jobs.fatbin" "--image3=kind=elf,sm=80,{{.*}}" "--image3=kind=ptx,sm=80,
// FATBIN-NOT: "-cc1"

// PLAIN-NOT: --echo-
// PLAIN: clang" "-cc1" "-triple" "{{[^"]*}}linux-gnu"
// PLAIN-NOT: "-x" "cuda"

// PP-NOT: --echo-
// PP: "-E"

__global__ void k() {}
