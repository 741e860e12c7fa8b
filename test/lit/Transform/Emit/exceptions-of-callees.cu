// A function that is rewritten catches what it inlines throws, though as it was
// written it catches nothing; and what is inlined wherever it is called needs
// no rewriting of its own.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O1 %s -o %t --report %t.txt
// RUN: FileCheck --input-file=%t.txt %s
// RUN: %t | FileCheck --check-prefix=OUT %s
// RUN: %t too many | FileCheck --check-prefix=CAUGHT %s
// RUN: %echo_cc -w --device=cpu -O1 -c %s -o %t.o && nm -C %t.o | not grep "worker<"
// RUN: %echo_cc -w --device=cpu -O1 -g %s -o %t.g && %t.g | FileCheck --check-prefix=OUT %s
// RUN: %echo_cc -w --device=cpu -O1 -g -c %s -o %t.g.o
// RUN: llvm-dwarfdump --name=words %t.g.o | FileCheck --check-prefix=DEBUG %s
#include "../../Inputs/case.h"

// CHECK: 1 pair: 1 unified
// OUT: sum 524288
// CAUGHT: caught 3
// The debugger finds the parameters of main.
// DEBUG: DW_AT_location
// DEBUG: DW_AT_name ("words")
// DEBUG-NEXT: DW_AT_decl_file
// DEBUG-NEXT: DW_AT_decl_line ([[#@LINE+18]])
template <typename T> void worker(T *h, T *d, int words) {
  try {
    if (words > 1)
      throw words;
    cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < Count / 32; ++i)
      update<<<1, 32>>>(d + 32 * i);
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < Count; ++i)
      sum += h[i];
    printf("sum %.0f\n", sum);
  } catch (int n) {
    printf("caught %d\n", n);
  }
}

int main(int words, char **) {
  PAIR;
  for (int i = 0; i < Count; ++i)
    h[i] = 1;
  worker(h, d, words);
  FREE;
}
