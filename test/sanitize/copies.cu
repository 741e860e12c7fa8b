//===- copies.cu - What copies and sets order -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One case for each kind of transfer: what the host, and what other streams,
// may do behind the call. CUDA's page "API synchronization behavior".
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
// MERGED: 2
#include "cases.h"

// A synchronous upload of pageable memory has read it when it returns; an
// asynchronous one may read it later.
static long uploadSnapshot() { // LENIENT
  int *H = (int *)malloc(Bytes), *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  set(H, 1);
  SAFE(CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice)));
  UNSAFE(CHECK(cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice))); // HERE
  set(H, 2);                                                           // HERE
  CHECK(cudaDeviceSynchronize());
  long R = content(D) + sum(H);
  CHECK(cudaFree(D));
  free(H);
  return R;
}

// It waits for the stream first; a copy within the device does not.
static long uploadWaits() {
  int *Out = pinned(), *D = device(), *Other = device(), H[N];
  set(H, 1);
  transfer ON(0)(Out, D); // HERE
  SAFE(CHECK(cudaMemcpy(Other, H, Bytes, cudaMemcpyHostToDevice)));
  UNSAFE(CHECK(cudaMemcpy(Other, D, Bytes, cudaMemcpyDeviceToDevice)));
  letRun();
  return sum(Out); // HERE
}

// But it need not have arrived: only work behind it in its stream sees it.
static long uploadArrives() {
  int *D = device(), *Out = device(), H[N];
  cudaStream_t A = blocking(), B = nonBlocking();
  set(H, 1);
  CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice)); // HERE
  SAFE(transfer ON(A)(Out, D));
  UNSAFE(transfer ON(B)(Out, D)); // HERE
  return content(Out);
}

// An upload from pinned memory is there when the call returns.
static long pinnedUpload() {
  int *H = pinned(1), *D = device(), *Out = device();
  cudaStream_t B = nonBlocking();
  SAFE(CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice)));
  UNSAFE(CHECK(cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice))); // HERE
  letRun();
  transfer ON(B)(Out, D); // HERE
  return content(Out);
}

static long pinnedUploadSource() {
  int *H = pinned(1), *D = device();
  SAFE(CHECK(cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice)));
  UNSAFE(CHECK(cudaMemcpyAsync(D, H, Bytes, cudaMemcpyHostToDevice))); // HERE
  set(H, 2);                                                           // HERE
  return content(D);
}

static long pinnedDownload() { // ONLY plain
  int *H = pinned(), *D = device(1);
  CHECK(cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost)); // HERE
  SAFE(CHECK(cudaStreamSynchronize(0)));
  return sum(H); // HERE
}

// Into pageable memory an asynchronous download might be synchronous.
static long pageableDownload() { // LENIENT
  int *H = (int *)malloc(Bytes), *D = nullptr;
  CHECK(cudaMalloc(&D, Bytes));
  fill ON(0)(D, 1);
  SAFE(CHECK(cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost)));
  UNSAFE(CHECK(cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost))); // HERE
  long R = sum(H);                                                     // HERE
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(D));
  free(H);
  return R;
}

// A copy within the device does not wait, in either form.
static long deviceCopy() {
  int *From = device(1), *To = device(), *Out = device();
  cudaStream_t B = nonBlocking();
  CHECK(cudaMemcpy(To, From, Bytes, cudaMemcpyDeviceToDevice)); // HERE
  letRun();
  SAFE(CHECK(cudaStreamSynchronize(0)));
  transfer ON(B)(Out, To); // HERE
  return content(Out);
}

static long deviceSet() {
  int *D = device(1), *Out = device();
  cudaStream_t B = nonBlocking();
  CHECK(cudaMemset(D, 0, Bytes)); // HERE
  letRun();
  SAFE(CHECK(cudaStreamSynchronize(0)));
  transfer ON(B)(Out, D); // HERE
  return content(Out);
}

// Only a set of pinned memory is synchronous.
static long pinnedSet() {
  int *H = pinned(1);
  SAFE(CHECK(cudaMemset(H, 0, Bytes)));
  UNSAFE(CHECK(cudaMemsetAsync(H, 0, Bytes))); // HERE
  letRun();
  return sum(H); // HERE
}

// A copy within the host is synchronous in either form.
static long hostCopy() { // ONLY plain
  int *From = pinned(1), *To = pinned(), *D = device(1);
  cudaStream_t S = blocking();
  (void)D;
  SAFE(CHECK(cudaMemcpyAsync(To, From, Bytes, cudaMemcpyHostToHost, S)));
  UNSAFE(
      CHECK(cudaMemcpyAsync(To, D, Bytes, cudaMemcpyDeviceToHost, S))); // HERE
  return sum(To);                                                       // HERE
}

// A copy touches its bytes and no others.
static long halfDownload() {
  int *H = pinned(), *D = device(1);
  CHECK(cudaMemcpyAsync(H, D, Bytes / 2, cudaMemcpyDeviceToHost)); // HERE
  SAFE(H[N / 2] = 7);
  UNSAFE(H[N / 2 - 1] = 7); // HERE
  CHECK(cudaDeviceSynchronize());
  return sum(H);
}

static long rows() {
  const size_t Pitch = 20 * sizeof(int), Width = 8 * sizeof(int);
  int *H = pinned(), *D = device(1);
  CHECK(cudaMemcpy2DAsync(H, Pitch, D, Pitch, Width, 10, // HERE
                          cudaMemcpyDeviceToHost));
  SAFE(H[5 * 20 + 8] = 7);
  UNSAFE(H[5 * 20 + 7] = 7); // HERE
  CHECK(cudaDeviceSynchronize());
  return sum(H);
}

__device__ int Variable[N];
__global__ void fromVariable(int *To) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    To[I] = Variable[I];
}

static long symbol() {
  int *H = pinned(3), *Out = device();
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  CHECK(cudaMemcpyToSymbolAsync(Variable, H, Bytes, 0, // HERE
                                cudaMemcpyHostToDevice, A));
  SAFE(CHECK(cudaStreamSynchronize(A)));
  fromVariable<<<1, 32, 0, B>>>(Out); // HERE
  return content(Out);
}

CASES(CASE(uploadSnapshot), CASE(uploadWaits), CASE(uploadArrives),
      CASE(pinnedUpload), CASE(pinnedUploadSource), CASE(pinnedDownload),
      CASE(pageableDownload), CASE(deviceCopy), CASE(deviceSet),
      CASE(pinnedSet), CASE(hostCopy), CASE(halfDownload), CASE(rows),
      CASE(symbol))
