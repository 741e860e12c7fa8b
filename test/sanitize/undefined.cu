//===- undefined.cu - Undefined behaviour ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What UndefinedBehaviorSanitizer must find in kernels and on the host, alone
// and together with AddressSanitizer, also where pairs merge.
//
//===----------------------------------------------------------------------===//
// SANITIZE: undefined
// SANITIZE: address,undefined
// FLAGS: -O0
// MERGED: 1
#include "cases.h"

static const int Extra = SAFE(0) UNSAFE(1);

__global__ void overflow(int *P, int ByHowMuch) {
  dim3 Thread = threadIdx; // the object itself has no address on a GPU
  P += Thread.y;
  P[threadIdx.x] = 0x7fffffff + ByHowMuch; // HERE
}
static long signedOverflow() {
  int *D = device();
  overflow<<<1, 32>>>(D, Extra);
  return content(D);
}

__global__ void shift(int *P, int By) { P[threadIdx.x] = 1 << By; } // HERE
static long shiftTooFar() {
  int *D = device();
  shift<<<1, 32>>>(D, 31 * Extra + 1);
  return content(D);
}

struct Row {
  int Cells[8], Next;
};
__global__ void index(Row *R, int I) { R->Cells[I] = 3; } // HERE
static long indexInStruct() {
  int *D = device();
  index<<<1, 1>>>((Row *)D, 7 + Extra);
  return content(D);
}

__global__ void misaligned(char *P) { *(int *)P = 5; } // HERE
static long alignment() {
  int *D = device();
  misaligned<<<1, 1>>>((char *)D + Extra);
  return content(D);
}

static long hostOverflow() {
  int *H = pinned(0x7fffffff - N), S = 1;
  S += H[N - 1] + Extra; // HERE
  return S;
}

// A pair that merges, used by host code that is checked.
static long pair() {
  int *H = (int *)malloc(Bytes), *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  for (int I = 0; I != N; ++I)
    H[I] = 0x7fffffff - N + I;
  CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice));
  addOne ON(0)(D);
  CHECK(cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost));
  int Last = H[N - 1] + Extra; // HERE
  CHECK(cudaFree(D));
  free(H);
  return Last;
}

CASES(CASE(signedOverflow), CASE(shiftTooFar), CASE(indexInStruct),
      CASE(alignment), CASE(hostOverflow), CASE(pair))
