//===- streams.cu - What streams order and what waits for them ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the legacy, blocking, non-blocking and per-thread streams, and
// of the calls that wait, may wait or do not wait for a stream.
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
#include "cases.h"

#include <thread>

static long sameStream() {
  int *D = device();
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  addOne ON(A)(D); // HERE
  letRun();
  SAFE(addOne ON(A)(D));
  UNSAFE(addOne ON(B)(D)); // HERE
  return content(D);
}

// A load by a texture is a load of the kernel.
__global__ void fetch(cudaTextureObject_t From, int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = tex1Dfetch<int>(From, I); // PLACE: fetch
}
static long texture() {
  int *D = device(), *Out = device();
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaResourceDesc Of = {};
  Of.resType = cudaResourceTypeLinear;
  Of.res.linear.devPtr = D;
  Of.res.linear.desc = cudaCreateChannelDesc<int>();
  Of.res.linear.sizeInBytes = Bytes;
  cudaTextureDesc How = {};
  cudaTextureObject_t From;
  CHECK(cudaCreateTextureObject(&From, &Of, &How, nullptr));
  fetch ON(A)(From, Out); // AT: fetch
  letRun();
  SAFE(addOne ON(A)(D));
  UNSAFE(addOne ON(B)(D)); // HERE
  long R = content(Out);
  CHECK(cudaDestroyTextureObject(From));
  return R;
}

// The default stream orders blocking streams with itself, and so with others.
static long legacyBetween() {
  int *D = device(), *Other = device();
  SAFE(cudaStream_t A = blocking());
  UNSAFE(cudaStream_t A = nonBlocking());
  cudaStream_t B = blocking();
  addOne ON(A)(D); // HERE
  letRun();
  addOne ON(0)(Other);
  addOne ON(B)(D); // HERE
  return content(D);
}

static long legacyCopyBetween() {
  int *D = device(), *Other = device(), *H = pinned(5);
  cudaStream_t A = blocking(), B = blocking();
  addOne ON(A)(D); // HERE
  SAFE(CHECK(cudaMemcpyAsync(Other, H, Bytes, cudaMemcpyHostToDevice, 0)));
  UNSAFE(CHECK(cudaMemcpyAsync(Other, H, Bytes, cudaMemcpyHostToDevice, A)));
  addOne ON(B)(D); // HERE
  return content(D) + content(Other);
}

// A copy in the default stream waits for blocking streams only.
static long legacyDownload() {
  int *D = device(), H[N];
  SAFE(cudaStream_t A = blocking());
  UNSAFE(cudaStream_t A = nonBlocking());
  addOne ON(A)(D); // HERE
  letRun();
  CHECK(cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost)); // HERE
  return sum(H);
}

static long perThreadBlocks() {
  int *D = device();
  SAFE(cudaStream_t A = cudaStreamPerThread);
  UNSAFE(cudaStream_t A = nonBlocking());
  addOne ON(A)(D);
  letRun();
  addOne ON(cudaStreamLegacy)(D); // HERE
  addOne ON(A)(D);
  return content(D);
}

static long rightStream() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = blocking(), B = blocking();
  transfer ON(A)(H, D); // HERE
  letRun();
  SAFE(CHECK(cudaStreamSynchronize(A)));
  UNSAFE(CHECK(cudaStreamSynchronize(B)));
  return sum(H); // HERE
}

static long allStreams() {
  int *D = device(1), *X = pinned(), *Y = pinned();
  cudaStream_t A = nonBlocking(), B = blocking();
  transfer ON(A)(X, D); // HERE
  transfer ON(B)(Y, D);
  letRun();
  SAFE(CHECK(cudaDeviceSynchronize()));
  UNSAFE(CHECK(cudaStreamSynchronize(B)));
  return sum(X) + sum(Y); // HERE
}

// A query that says "done" is as good as a wait.
static long query() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  transfer ON(A)(H, D); // HERE
  SAFE(while (cudaStreamQuery(A) == cudaErrorNotReady));
  UNSAFE((void)cudaStreamQuery(nonBlocking()));
  return sum(H); // HERE
}

static long destroyWaitsNot() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  transfer ON(A)(H, D); // HERE
  letRun();
  SAFE(CHECK(cudaStreamSynchronize(A)));
  CHECK(cudaStreamDestroy(A));
  return sum(H); // HERE
}

// What a destroyed stream still runs is not ordered with a new stream's work.
static long destroyedStream() {
  int *D = device(1);
  cudaStream_t A = nonBlocking();
  addOne ON(A)(D); // HERE
  SAFE(CHECK(cudaStreamSynchronize(A)));
  CHECK(cudaStreamDestroy(A));
  cudaStream_t B = nonBlocking();
  addOne ON(B)(D); // HERE
  return content(D);
}

// A free may wait, which is no promise.
static long freeWaitsNot() { // LENIENT
  int *H = pinned(), *D = device(1);
  transfer ON(0)(H, D); // HERE
  letRun();
  SAFE(CHECK(cudaDeviceSynchronize()));
  CHECK(cudaFree(D));
  return sum(H); // HERE
}

static long freeHostWaitsNot() { // LENIENT
  int *H = pinned(), *Other = pinned(), *D = device(1);
  transfer ON(0)(H, D); // HERE
  SAFE(CHECK(cudaDeviceSynchronize()));
  CHECK(cudaFreeHost(Other));
  return sum(H); // HERE
}

static int Seen;
static void see(void *P) { Seen += *static_cast<int *>(P); }

static long hostFunction() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  transfer ON(A)(H, D);
  CHECK(cudaLaunchHostFunc(A, see, H));
  SAFE(CHECK(cudaStreamSynchronize(A)));
  letRun();
  long R = Seen; // HERE
  CHECK(cudaDeviceSynchronize());
  return R;
}

// Host functions of two streams are unordered.
static long twoHostFunctions() {
  int *H = pinned(3);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  CHECK(cudaLaunchHostFunc(A, see, H)); // HERE
  SAFE(CHECK(cudaLaunchHostFunc(A, see, H)));
  UNSAFE(CHECK(cudaLaunchHostFunc(B, see, H))); // HERE
  CHECK(cudaDeviceSynchronize());
  return Seen;
}

// A host function is ordered in its stream: it may not touch what another
// stream's kernel writes.
static long hostFunctionReads() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  transfer ON(A)(H, D); // HERE
  SAFE(CHECK(cudaLaunchHostFunc(A, see, H)));
  UNSAFE(CHECK(cudaLaunchHostFunc(B, see, H))); // HERE
  CHECK(cudaDeviceSynchronize());
  return Seen;
}

// Memory of a stream's own begins where the stream has come to it.
static long streamMemory() {
  int *D = nullptr;
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  CHECK(cudaMallocAsync((void **)&D, Bytes, A)); // HERE
  SAFE(CHECK(cudaStreamSynchronize(A)));
  fill ON(B)(D, 1); // HERE
  CHECK(cudaStreamSynchronize(B));
  long R = content(D);
  CHECK(cudaFreeAsync(D, A));
  return R;
}

static long streamFree() {
  int *D = nullptr;
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  CHECK(cudaMallocAsync((void **)&D, Bytes, A));
  CHECK(cudaStreamSynchronize(A));
  fill ON(B)(D, 1); // HERE
  SAFE(CHECK(cudaStreamSynchronize(B)));
  CHECK(cudaFreeAsync(D, A)); // HERE
  return 1;
}

// Per-thread streams of two host threads are two streams.
static long twoThreads() {
  int *D = device(1);
  auto Add = [=] {
    addOne ON(cudaStreamPerThread)(D); // HERE
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  };
  std::thread First(Add);
  SAFE(First.join());
  std::thread Second(Add);
  UNSAFE(First.join());
  Second.join();
  return content(D);
}

// A stream orders what two host threads queue, though nothing orders these.
static long sharedStream() {
  int *D = device(1);
  cudaStream_t A = nonBlocking();
  SAFE(cudaStream_t B = A);
  UNSAFE(cudaStream_t B = nonBlocking());
  std::thread Other([=] { addOne ON(A)(D); }); // HERE
  addOne ON(B)(D);                             // HERE
  Other.join();
  return content(D);
}

// One thread waits for a stream, another one reads what it gave.
static long waitInThread() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  transfer ON(A)(H, D); // HERE
  std::thread Waiter([=] { CHECK(cudaStreamSynchronize(A)); });
  SAFE(Waiter.join());
  long R = sum(H); // HERE
  UNSAFE(Waiter.join());
  return R;
}

CASES(CASE(sameStream), CASE(texture), CASE(legacyBetween), CASE(legacyCopyBetween),
      CASE(legacyDownload), CASE(perThreadBlocks), CASE(rightStream),
      CASE(allStreams), CASE(query), CASE(destroyWaitsNot),
      CASE(destroyedStream), CASE(freeWaitsNot), CASE(freeHostWaitsNot),
      CASE(hostFunction), CASE(twoHostFunctions), CASE(hostFunctionReads),
      CASE(streamMemory), CASE(streamFree), CASE(twoThreads),
      CASE(sharedStream), CASE(waitInThread))
