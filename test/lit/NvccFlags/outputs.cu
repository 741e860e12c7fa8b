// -ptx, -cubin, -dc and -rdc=true make what nvcc makes, under nvcc's names.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %echo_cc -w -ptx -arch=sm_80 %s && FileCheck --check-prefix=PTX --input-file=outputs.ptx %s
// RUN: %echo_cc -w -ptx -arch=sm_80 %s -o named.s && cmp named.s outputs.ptx
// RUN: %echo_cc -w -cubin -arch=sm_80 %s && %llvm_tools/llvm-readelf -h outputs.cubin | FileCheck --check-prefix=CUBIN %s
// RUN: %echo_cc -w -dc -arch=sm_80 %s -o dc.o && %echo_cc -w -rdc=true -c --gpu-architecture sm_80 %s -o rdc.o
// RUN: %llvm_tools/llvm-readelf -S dc.o | FileCheck --check-prefix=RDC %s
// RUN: %llvm_tools/llvm-readelf -S rdc.o | FileCheck --check-prefix=RDC %s
// PTX: .target sm_80
// PTX: .entry _Z1kPf
// CUBIN: Machine: {{.*}}CUDA
// RDC: .llvm.offloading
__global__ void k(float *p) { *p = 1; }
