// Every mode of clang gives the file that clang would give.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -c a.cu && llvm-readobj -h a.o | FileCheck --check-prefix=OBJ %s
// RUN: llvm-readobj -S a.o | FileCheck --check-prefix=FATBIN %s
// RUN: %echo_cc -w -S a.cu && FileCheck --check-prefix=ASM --input-file=a.s %s
// RUN: %echo_cc -w -O2 -S -emit-llvm a.cu -o a.ll && FileCheck --check-prefix=IR --input-file=a.ll %s
// RUN: %echo_cc -w -E a.cu | FileCheck --check-prefix=PP %s
// RUN: %echo_cc -w -E a.cu -o a.i && FileCheck --check-prefix=PP --input-file=a.i %s
// RUN: %echo_cc -w -M a.cu | FileCheck --check-prefix=DEPS %s
// RUN: %echo_cc -w -MM a.cu | FileCheck --check-prefix=USERDEPS --match-full-lines %s
// RUN: %echo_cc -w -M a.cu -o a.dep && FileCheck --check-prefix=NVCC --input-file=a.dep %s
// RUN: %echo_cc -w -MD -MF a.d -c a.cu -o b.o && FileCheck --check-prefix=DEPFILE --input-file=a.d %s
// RUN: %echo_cc -w -MMD -c a.cu -o c.o && FileCheck --check-prefix=MMD --match-full-lines --input-file=c.d %s
// RUN: %echo_cc -w -fsyntax-only a.cu 2>&1 | count 0
// RUN: cp a.cu noext && %echo_cc -w -x cuda -c noext -o d.o && %echo_cc -w -x cu -c noext -o e.o
// RUN: cmp d.o e.o
// RUN: %echo_cc -w -O0 -c a.cu && %echo_cc -w -O3 -g -c a.cu
// RUN: llvm-dwarfdump --debug-line a.o | FileCheck --check-prefix=LINES %s
// RUN: %echo_cc -w -save-temps -c a.cu -o f.o && ls | FileCheck --check-prefix=TEMPS %s

// OBJ: Format: elf64
// FATBIN: .nv_fatbin
// ASM: __device_stub__k
// IR: define {{.*}}@_Z16__device_stub__kPi
// PP: attribute__((global)){{.*}}void k(int *p)
// DEPS: a.o: a.cu
// DEPS: __clang_cuda_runtime_wrapper.h
// USERDEPS: a.o: a.cu
// As nvcc's, for CMake's FindCUDA: a line for each file.
// NVCC: a.o : a.cu \{{$}}
// NVCC-NEXT: {{^}}    {{[^ ]+}} \{{$}}
// DEPFILE: b.o: a.cu
// MMD: c.o: a.cu
// LINES: name: "a.cu"
// TEMPS-DAG: a-cuda-nvptx64-nvidia-cuda-sm_{{[0-9]+}}.s
// TEMPS-DAG: a-host-{{.*}}.bc

__global__ void k(int *p) { *p = 1; }
void run(int *p) { k<<<1, 1>>>(p); }
