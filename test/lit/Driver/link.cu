// A link that may use CUDA gets the runtime; other links get nothing.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -### -w %s 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: %echo_cc -w -c %s -o %t.o && %echo_cc -### %t.o 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: %echo_cc -c %S/Inputs/plain.c -o %t.plain.o && %echo_cc -### %t.plain.o 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %echo_cc -### -w -c %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %echo_cc -### -w -shared -nostdlib %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %echo_cc -w %s %S/Inputs/kernel.cu -o %t && %t
// RUN: %echo_cc -w -fgpu-rdc -c %s -o %t.rdc.o && %echo_cc -### %t.rdc.o 2>&1 | FileCheck --check-prefix=RDC %s
// RUN: %echo_cc -### -w -cudart shared %s 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: %echo_cc -### -w -cudart none %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// STATIC: "-lcudart_static"
// SHARED-NOT: cudart_static
// SHARED: "-lcudart"
// STATIC-SAME: "-lstdc++"
// PLAIN-NOT: cudart
// RDC: clang-linker-wrapper"
// RDC-SAME: "-lcudadevrt"
__global__ void k() {}
int main(int Count, char **) {
  if (Count > 5)
    k<<<1, 1>>>();
}
