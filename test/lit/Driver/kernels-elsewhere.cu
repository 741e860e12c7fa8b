// Kernels of another file, which the host or a kernel launches, with relocatable
// device code; also from a library.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 -DMAIN -c %s -o a.o
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 -c %s -o b.o
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 a.o b.o -o app
// RUN: ar rcs libb.a b.o && %precompiled_cc -w -rdc=true -arch=sm_75 a.o libb.a -o lib
// RUN: %precompiled_cc -w -rdc=true -arch=sm_75 -DMAIN -O0 -ptx %s -o - | FileCheck --check-prefix=PTX %s
// PTX-DAG: .extern .entry _Z6launchPi
// PTX-DAG: .extern .entry _Z6insidePi
__global__ void launch(int *p);
__global__ void inside(int *p);
#ifdef MAIN
__global__ void parent(int *p) { inside<<<1, 1>>>(p); }
int main(int argc, char **) {
  if (argc > 5) {
    launch<<<1, 1>>>(nullptr);
    parent<<<1, 1>>>(nullptr);
  }
}
#else
__global__ void launch(int *p) { *p = 1; }
__global__ void inside(int *p) { *p = 2; }
#endif
