//===- merged.cu - Programs whose pairs merge -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typical programs in which Echo merges pairs: what the removed copies ordered
// must be ordered by the waits that stay. The bad twins miss a wait that the
// program itself needs, merged or not.
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
// FLAGS: -O2
// MERGED: 8
#include "cases.h"

#include <vector>

// Upload, kernel, download, again and again.
static long loop() {
  int *H = (int *)malloc(Bytes), *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  long R = 0;
  for (int I = 0; I != 4; ++I) {
    set(H, I);
    CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice));
    addOne ON(0)(D);
    SAFE(CHECK(cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost)));
    UNSAFE(CHECK(cudaMemcpyAsync(H, D, Bytes, // HERE
                                 cudaMemcpyDeviceToHost)));
    R += sum(H); // HERE
  }
  CHECK(cudaFree(D));
  free(H);
  return R;
}

// Input and output buffers; the input is filled anew while nothing is running.
static long twoPairs() {
  int *In = (int *)malloc(Bytes), *Out = (int *)malloc(Bytes);
  int *DIn = nullptr, *DOut = nullptr;
  CHECK(cudaMalloc(&DIn, Bytes));
  CHECK(cudaMalloc(&DOut, Bytes));
  long R = 0;
  for (int I = 0; I != 4; ++I) {
    set(In, I);
    CHECK(cudaMemcpy(DIn, In, Bytes, cudaMemcpyHostToDevice));
    transfer ON(0)(DOut, DIn);
    SAFE(CHECK(cudaMemcpy(Out, DOut, Bytes, cudaMemcpyDeviceToHost)));
    UNSAFE(CHECK(cudaMemcpyAsync(Out, DOut, Bytes, // HERE
                                 cudaMemcpyDeviceToHost)));
    R += sum(Out); // HERE
  }
  CHECK(cudaFree(DIn));
  CHECK(cudaFree(DOut));
  free(In);
  free(Out);
  return R;
}

// Pinned memory and one stream.
static long stream() {
  int *H = nullptr, *D = nullptr;
  cudaStream_t S;
  CHECK(cudaMallocHost((void **)&H, Bytes));
  CHECK(cudaMalloc(&D, Bytes));
  CHECK(cudaStreamCreate(&S));
  long R = 0;
  for (int I = 0; I != 4; ++I) {
    set(H, I);                                                      // HERE
    CHECK(cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice, S)); // HERE
    addOne ON(S)(D);
    CHECK(cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost, S));
    SAFE(CHECK(cudaStreamSynchronize(S)));
    SAFE(R += sum(H));
  }
  CHECK(cudaStreamSynchronize(S));
  CHECK(cudaStreamDestroy(S));
  CHECK(cudaFree(D));
  CHECK(cudaFreeHost(H));
  return R;
}

// The download in another stream, behind an event.
static long eventBetween() {
  int *H = nullptr, *D = nullptr;
  CHECK(cudaMallocHost((void **)&H, Bytes));
  CHECK(cudaMalloc(&D, Bytes));
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaEvent_t Computed = event();
  set(H, 1);
  CHECK(cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice, A)); // HERE
  addOne ON(A)(D);
  SAFE(CHECK(cudaEventRecord(Computed, A)));
  CHECK(cudaStreamWaitEvent(B, Computed, 0));
  CHECK(cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost, B)); // HERE
  CHECK(cudaStreamSynchronize(B));
  long R = sum(H);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(D));
  CHECK(cudaFreeHost(H));
  return R;
}

// The download's wait is the only one that the next frame has.
static long frames() {
  int *H = (int *)malloc(Bytes), *Result = (int *)malloc(Bytes);
  int *D = nullptr, *DResult = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  CHECK(cudaMalloc(&DResult, Bytes));
  long R = 0;
  for (int I = 0; I != 4; ++I) {
    for (int J = 0; J != N; ++J)
      H[J] = I * J;
    CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(DResult, 0, Bytes));
    transfer ON(0)(DResult, D);
    SAFE(CHECK(cudaMemcpy(Result, DResult, Bytes, cudaMemcpyDeviceToHost)));
    UNSAFE(CHECK(cudaMemcpyAsync(Result, DResult, Bytes, // HERE
                                 cudaMemcpyDeviceToHost)));
    R += sum(Result); // HERE
  }
  CHECK(cudaFree(DResult));
  CHECK(cudaFree(D));
  free(Result);
  free(H);
  return R;
}

// A buffer of a function, allocated and freed at each call: blocks of echort's
// pool are used again.
static long once(int Value, int *Watched) {
  std::vector<int> H(N);
  int *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  for (int I = 0; I != N; ++I)
    H[I] = Value + I;
  CHECK(cudaMemcpy(D, H.data(), Bytes, cudaMemcpyHostToDevice));
  addOne ON(0)(D);
  transfer ON(0)(Watched, D); // HERE
  SAFE(CHECK(cudaMemcpy(H.data(), D, Bytes, cudaMemcpyDeviceToHost)));
  CHECK(cudaFree(D));
  return H[1] + sum(Watched); // HERE
}
static long calls() {
  int *Watched = pinned();
  long R = 0;
  for (int I = 0; I != 5; ++I)
    R += once(I, Watched);
  return R;
}

CASES(CASE(loop), CASE(twoPairs), CASE(stream), CASE(eventBetween),
      CASE(frames), CASE(calls))
