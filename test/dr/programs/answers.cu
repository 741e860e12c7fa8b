// A thread copies a host buffer all the time; another one asks CUDA about it,
// or registers it. Answers and errors are those of ordinary memory, or of
// memory that the program registered. On a GPU, CUDA itself fails now and then
// where memory is unregistered during a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CASE: attributes     | pins split-only
// CASE: inside         | pins split-only
// CASE: flags          | pins split-only
// CASE: pointer        | pins split-only
// CASE: unregister     | pins split-only
// CASE: register       | pins split-only races
// CASE: register-part  | pins split-only races
// CASE: register-twice | pins split-only races
// CASE: register-keep  | pins split-only races
// CASE: register-odd   | pins split-only
// CASE: alone          | pins split-only
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <thread>
#include <unistd.h>

static const size_t Bytes = 4 << 20;
static std::string Case;
static bool is(const char *Name) { return Case == Name; }
static char *H, *D;

static void say(const char *What, cudaError_t Status) {
  std::printf("%s: %s, last %s\n", What, cudaGetErrorName(Status),
              cudaGetErrorName(cudaGetLastError()));
}

static void attributes(const char *P) {
  cudaPointerAttributes A = {};
  say("attributes", cudaPointerGetAttributes(&A, P));
  std::printf("type %d device %d, %d %d\n", static_cast<int>(A.type), A.device,
              A.devicePointer == P, A.hostPointer == P);
}

static void ask() {
  if (is("attributes") || is("alone"))
    attributes(H);
  if (is("inside"))
    attributes(H + Bytes / 2 + 8);
  if (is("flags") || is("alone")) {
    unsigned Flags = 99;
    say("flags", cudaHostGetFlags(&Flags, H));
    std::printf("%u\n", Flags);
  }
  if (is("pointer") || is("alone")) {
    void *P = nullptr;
    say("pointer", cudaHostGetDevicePointer(&P, H, 0));
    std::printf("%d\n", P == H);
  }
  if (is("unregister") || is("alone"))
    say("unregister", cudaHostUnregister(H));
  if (Case.compare(0, 8, "register"))
    return;
  char *P = is("register-part") ? H + 65536 : H;
  const size_t Size = is("register-part") ? 65536 : Bytes;
  say("register", cudaHostRegister(P, Size, is("register-odd") ? 64u : 0u));
  attributes(P);
  attributes(H + Bytes - 1);
  unsigned Flags = 99;
  say("flags", cudaHostGetFlags(&Flags, P));
  std::printf("%u\n", Flags);
  if (is("register-twice"))
    say("again", cudaHostRegister(P, Size, 0));
  if (is("register-keep"))
    return;
  say("unregister", cudaHostUnregister(P));
  attributes(P);
  say("unregister again", cudaHostUnregister(P));
}

int main(int, char **Args) {
  Case = Args[1];
  alarm(20);
  H = static_cast<char *>(malloc(Bytes));
  memset(H, 1, Bytes);
  cudaMalloc(&D, Bytes);
  std::atomic<int> Copies{0};
  std::atomic<bool> Stop{false};
  std::thread Other([&] {
    cudaSetDevice(0);
    // One call site for all: what the plan knows.
    while (!Stop || Copies < 6) {
      cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
      if (++Copies >= 6 && is("alone"))
        break;
    }
  });
  while (Copies < 6)
    usleep(100);
  if (is("alone"))
    Other.join();
  const int Times = is("register-keep") ? 1 : 5;
  for (int I = 0; I != Times; ++I) {
    usleep(700);
    ask();
  }
  Stop = true;
  if (Other.joinable())
    Other.join();
  if (is("register-keep"))
    say("unregister", cudaHostUnregister(H));
  attributes(H);
  H[9] = 0;
  say("down", cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost));
  std::printf("%d\n", H[9]);
  cudaFree(D);
  free(H);
}
