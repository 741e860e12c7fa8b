//===- keeps.cu - A library that keeps streams of its own -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by streams.cu, as cuDNN is by programs: it makes streams, puts work
// into them, and orders them with the program's stream by events. Or it does
// not, by the word that it is given.
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <string.h>

static const size_t Own = 1 << 16; // bytes; too few for a buffer that counts
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }
static bool begins(const char *Name) {
  return !strncmp(Case, Name, strlen(Name));
}

static cudaStream_t Mine, Other;
static cudaEvent_t Before, After;
static unsigned char *Scratch;

__global__ void count(unsigned char *Bytes, size_t Size) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Size)
    ++Bytes[I];
}

__global__ void scale(const unsigned char *In, unsigned char *Out,
                      size_t Size) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Size)
    Out[I] = In[I] * 3 + 1;
}

extern "C" void libraryStart(const char *TheCase) {
  Case = TheCase;
  const unsigned Kind = is("own-blocking") ? 0 : cudaStreamNonBlocking;
  cudaStreamCreateWithFlags(&Mine, Kind);
  cudaStreamCreateWithFlags(&Other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&Before, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&After, cudaEventDisableTiming);
  cudaMalloc(&Scratch, Own);
  cudaMemsetAsync(Scratch, 0, Own, Mine); // as cuDNN: nobody waits for it
}

/// Work that the program asked for, in the library's stream: it follows what
/// the program's stream holds, and later work of that stream follows it.
static void ordered(const unsigned char *In, unsigned char *Out, size_t Size) {
  cudaEventRecord(Before, nullptr);
  cudaStreamWaitEvent(Mine, Before, 0);
  scale<<<(Size + 255) / 256, 256, 0, Mine>>>(In, Out, Size);
  cudaEventRecord(After, Mine);
  cudaStreamWaitEvent(nullptr, After, 0);
}

/// Work of the library's own beside that of the program.
static void beside() {
  const cudaStream_t In = begins("thread-") ? cudaStreamPerThread : Mine;
  if (is("own-early"))
    cudaEventRecord(After, In);
  count<<<Own / 256, 256, 0, In>>>(Scratch, Own);
  if (is("own-wrong"))
    cudaEventRecord(After, Other);
  else if (!is("own-early"))
    cudaEventRecord(After, In);
  if (is("own-joined") || is("own-early") || is("own-wrong"))
    cudaStreamWaitEvent(nullptr, After, 0);
  if (is("own-other-waits"))
    cudaStreamWaitEvent(Other, After, 0);
  if (is("own-host-waits"))
    cudaStreamSynchronize(Mine);
  if (is("own-host-waits-other"))
    cudaStreamSynchronize(Other);
  if (is("own-waits-event"))
    cudaEventSynchronize(After);
}

/// Copies and sets that name what they use: \p Tail is the end of one of the
/// program's buffers, which nothing else uses.
static void named(unsigned char *Tail) {
  unsigned char *At = begins("set-theirs") ? Tail : Scratch;
  if (begins("set-"))
    cudaMemsetAsync(At, 7, 64, Mine);
  else
    cudaMemcpyAsync(Scratch, begins("copy-theirs") ? Tail : Scratch + 64, 64,
                    cudaMemcpyDeviceToDevice, Mine);
  cudaEventRecord(After, Mine);
  if (strstr(Case, "-joined"))
    cudaStreamWaitEvent(nullptr, After, 0);
}

/// True if the library did what the program would have done.
extern "C" bool libraryRun(const unsigned char *In, unsigned char *Out,
                           size_t Size) {
  if (is("ordered")) {
    ordered(In, Out, Size - 64);
    return true;
  }
  if (begins("own-") || begins("thread-"))
    beside();
  if (begins("set-") || begins("copy-"))
    named(Out + Size - 64);
  return false;
}

extern "C" void libraryEnd() {
  cudaStreamSynchronize(Mine);
  cudaFree(Scratch);
  cudaEventDestroy(Before);
  cudaEventDestroy(After);
  cudaStreamDestroy(Mine);
  cudaStreamDestroy(Other);
}
