// --device=cpu: one device job, whose bitcode the host job takes.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -### -w --device=cpu -c %s 2>&1 | FileCheck --check-prefixes=CPU,DEFAULT %s
// RUN: %echo_cc -### -w --device cpu -c %s 2>&1 | FileCheck --check-prefix=CPU %s
// RUN: env ECHO_DEVICE=cpu %echo_cc -### -w -c %s 2>&1 | FileCheck --check-prefix=CPU %s
// RUN: %echo_cc -### -w --device=cpu --offload-arch=sm_80 --offload-arch=sm_86 -c %s 2>&1 | FileCheck --check-prefixes=CPU,NEWEST %s
// RUN: %echo_cc -### -w --device=cpu -fgpu-rdc -c %s 2>&1 | FileCheck --check-prefixes=CPU,RDC %s
// RUN: %echo_cc -### -w --device=cuda -c %s 2>&1 | FileCheck --check-prefix=CUDA %s
// RUN: %echo_cc -### -w --device=cpu %s -lcudart 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: not %echo_cc -w --device=cpu --cuda-device-only -S %s 2>&1 | FileCheck --check-prefix=DEVICE-ONLY %s
// RUN: not %echo_cc -w --device=gpu -c %s 2>&1 | FileCheck --check-prefix=NAME %s

// CPU-NOT: ptxas
// CPU: echo-cc" "-cc1" "--echo-facts-out=
// CPU-SAME: "-emit-llvm-bc"
// CPU-NOT: -mlink-builtin-bitcode
// DEFAULT-SAME: "-target-cpu" "sm_89"
// NEWEST-SAME: "-target-cpu" "sm_86"
// CPU-SAME: "-o" "[[BC:[^"]*\.bc]]"
// CPU-NOT: fatbinary
// CPU: echo-cc" "-cc1" "--echo-source={{.*}}"--echo-cpu-bitcode=[[BC]]"
// RDC-SAME: "--echo-cpu-rdc=1"
// CPU-NOT: -fgpu-rdc
// CPU-SAME: "-fcuda-include-gpubinary"

// CUDA: ptxas
// CUDA: fatbinary
// CUDA-NOT: --echo-cpu-bitcode

// LINK-NOT: cudart
// LINK: "-lpthread"
// LINK-NOT: cudart

// DEVICE-ONLY: error: --device=cpu makes no device file of its own
// NAME: error: invalid value 'gpu' of '--device': use cpu or cuda

__global__ void k() {}
