// An image of planes: the call reads their addresses in an array on the host,
// and its own work uses the planes already.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*.txt
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o --report
// RUN: %{cc} %t.ok.txt && FileCheck --input-file=%t.ok.txt --check-prefix=OK %s
// RUN: %{cc} %t.early.txt -DEARLY && FileCheck --input-file=%t.early.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.host.txt -DHOST && FileCheck --input-file=%t.host.txt --check-prefix=HOST %s
// OK: h + {{.*}} unified
// EARLY: h + {{.*}} declined S2 host-write-in-flight
// HOST: h + {{.*}} declined S3 pointer-escapes
#include "Inputs/npp.h"

int main() {
  constexpr int Step = 512 * sizeof(float);
  PAIR;
  float *g, *b, *image;
  cudaMalloc(&g, Bytes);
  cudaMalloc(&b, Bytes);
  cudaMalloc(&image, 3 * Bytes);
  memset(h, 0, Bytes);
  UP;
#ifdef HOST
  float *planes[3] = {h, g, b};
#else
  float *planes[3] = {d, g, b};
#endif
  nppiCopy_32f_C3P3R(image, 3 * Step, planes, Step, {512, 512});
#ifndef EARLY
  cudaDeviceSynchronize();
#endif
  memset(h, 1, Bytes);
  UP;
  cudaDeviceSynchronize();
  FREE;
}
