// Several inputs of one command keep their facts apart.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -w -c %s %S/Inputs/kernel.cu %S/Inputs/plain.c && ls | FileCheck --check-prefix=FILES %s
// RUN: %echo_cc -### -w -c %s %S/Inputs/kernel.cu 2>&1 | FileCheck %s
// RUN: not %echo_cc -w -c %s %S/Inputs/kernel.cu -o x.o 2>&1 | FileCheck --check-prefix=ONE-OUTPUT %s
// RUN: %echo_cc -w %s %S/Inputs/kernel.cu -x c++ %S/Inputs/main.cpp -o app && ./app | FileCheck --check-prefix=RUNS %s
// RUN: %echo_cc -w --device=cpu %s %S/Inputs/host.cpp -o app && ./app | FileCheck --check-prefix=HOST %s
// FILES: kernel.o
// FILES: plain.o
// FILES: several-inputs.o
// CHECK: "--echo-facts-out=[[A:[^"]*]]"
// CHECK: "--echo-source={{[^"]*}}several-inputs.cu" "--echo-facts={{.*}} "--echo-facts-in=[[A]]"
// CHECK: "--echo-facts-out=[[B:[^"]*]]"
// CHECK: "--echo-source={{[^"]*}}kernel.cu" "--echo-facts={{.*}} "--echo-facts-in=[[B]]"
// ONE-OUTPUT: error: cannot specify -o when generating multiple output files
// RUNS: plain
// HOST: allocated
__global__ void k(int *p) { *p = 1; }
void run(int *p) { k<<<1, 1>>>(p); }
