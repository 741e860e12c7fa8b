// A user's model makes an unknown function known; a truthful one can also
// forbid the merge; a wrong file stops the compilation before anything is made.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %echo_cc -w -O2 -c %s -o a.o --report none.txt && FileCheck --check-prefix=UNKNOWN --input-file=none.txt %s
// RUN: %echo_cc -w -O2 -c %s -o a.o --report fill.txt --model=%S/Inputs/fill.model && FileCheck --check-prefix=KNOWN --input-file=fill.txt %s
// RUN: %echo_cc -w -O2 -c %s -o a.o --report both.txt --model %S/Inputs/fill.model --model %S/Inputs/reads.model && FileCheck --check-prefix=READS --input-file=both.txt %s
// RUN: not %echo_cc -w -O2 -c %s -o bad.o --report bad.txt --model=%S/Inputs/bad.model 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %echo_cc -w -O2 -c %s -o bad.o --model=%S/Inputs/missing.model 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not test -e bad.o && not test -e bad.txt
// UNKNOWN: declined   coverage unknown-call
// UNKNOWN-NEXT: 'fill'
// KNOWN: 1 pair: 1 unified
// READS: declined   S1
// BAD: error: {{.*}}bad.model:3: a size names argument 4, but there are 2 (counted from 0)
// MISSING: error: {{.*}}missing.model{{.*}}No such file
#include <cstdlib>
extern "C" void fill(float *x, size_t bytes) noexcept;
__global__ void negate(float *x) { x[threadIdx.x] *= -1; }
void run() {
  const size_t bytes = 1 << 20;
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  fill(h, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  negate<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  // The GPU's result is not copied back: whoever reads h must see the input.
  fill(h, bytes);
  cudaFree(d);
  free(h);
}
