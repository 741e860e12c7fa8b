// Headers that are not there, names that nothing declares and errors of syntax:
// what can be read is.
// RUN: %echo_survey %s | FileCheck %s
// RUN: %echo_survey %s --csv - | FileCheck %s --check-prefix=PAIRS
#include <helper_of_nobody.h>
#include <cufft.h>
#include <cstdlib>

int main() {
  cufftComplex *h = (cufftComplex *)malloc(count * sizeof(cufftComplex)), *d;
  checkSomehow(cudaMalloc(&d, count * sizeof(cufftComplex)), "d");
  unseen.check(cudaMemcpy(d, h, count * sizeof(cufftComplex), cudaMemcpyHostToDevice));
  if (cudaMemcpy(h, d, unknown_size, cudaMemcpyDeviceToHost) != fine)
    return failure;
  Struct *s = new Struct[count];
  broken(;
  kernel<<<1, 1>>>(d);
}
// CHECK: malloc 1
// CHECK: new[] 1
// CHECK: cudaMalloc 1
// CHECK: copy-h2d 1
// CHECK: copy-d2h 1
// CHECK: Files with errors, read as far as they can be: 1
// CHECK: Headers not found, left out: 2
// CHECK-DAG: cufft.h
// CHECK-DAG: helper_of_nobody.h
// PAIRS: Survey,candidate,full,h,malloc,broken.cu,10,d,cudaMalloc,broken.cu,10,count,1,1,0,0,0,0,2
