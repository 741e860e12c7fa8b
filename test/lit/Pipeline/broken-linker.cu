// Where LLVM's linker cannot join the files of one command, each is compiled
// alone and linked as without Echo's passes, with one line about it. A command
// that asks for the joined link gets the linker's failure.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t/llvm && cd %t
// The linker is made before the links to the other tools, which leave it be.
// RUN: echo 'exit 1' > llvm/ld.lld && chmod +x llvm/ld.lld
// RUN: not ln -s %llvm_tools/* llvm && not test -L llvm/ld.lld
// RUN: echo 'int seven() { return 7; }' > other.cpp
// RUN: env ECHO_LLVM_DIR=%t/llvm %echo_cc --device=cpu -w %s other.cpp -o app 2> said
// RUN: FileCheck %s --check-prefix=SAID --input-file=said
// SAID: could not be linked as one program; compiling each alone
// RUN: ./app | FileCheck %s
// CHECK: 7
// RUN: not env ECHO_LLVM_DIR=%t/llvm %echo_cc --device=cpu -w -flto %s other.cpp -o asked
// RUN: not ls asked
#include <cstdio>
int seven();
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", seven());
}
