//===- stacks.cu - Allocations on stacks that are not the thread's --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fiber whose stack is as long as its work needs, in one arena with closed
// pages above: the next one may be shorter. And a function that runs on another
// stack by instructions that no unwind table knows: the caller's frame is looked
// for past the end of that stack.
//
// CASE: fibers   | pins skips
// CASE: switched | pins skips
//
//===----------------------------------------------------------------------===//
#include <alloca.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <ucontext.h>

static const int N = 1 << 16;
static const size_t Bytes = N * sizeof(int), Page = 4096, Arena = 1 << 20;
static const size_t Base = 64 * Page; // what a driver needs

static int *H, *D;

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

static void use(int Value) {
  for (int I = 0; I != N; ++I)
    H[I] = Value + I;
  cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
  twice<<<N / 256, 256>>>(D);
  cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", H[N - 1]);
}

__attribute__((noinline)) static void allocate() {
  cudaMalloc(&D, Bytes);
  H = static_cast<int *>(malloc(Bytes));
}

static char *Stack;

// Fibers.

static ucontext_t Main, Fiber;
static size_t Work;

__attribute__((noinline)) static void work(size_t Size) {
  auto *Space = static_cast<volatile char *>(alloca(Size));
  Space[0] = Space[Size - 1] = 1;
  allocate();
  Space[1] = 2;
}

static void body() {
  work(Work);
  swapcontext(&Fiber, &Main);
}

static void inFiber(size_t Size) {
  Work = Size;
  mprotect(Stack, Arena, PROT_NONE);
  mprotect(Stack, Base + Size, PROT_READ | PROT_WRITE);
  getcontext(&Fiber);
  Fiber.uc_stack.ss_sp = Stack;
  Fiber.uc_stack.ss_size = Base + Size;
  Fiber.uc_link = nullptr;
  makecontext(&Fiber, body, 0);
  swapcontext(&Main, &Fiber);
}

// Another stack.

__attribute__((noinline)) static void onStack(void *Top, void (*Run)()) {
#ifdef __x86_64__
  asm volatile("movq %%rsp, %%rbx\n\t"
               "movq %0, %%rsp\n\t"
               "callq *%1\n\t"
               "movq %%rbx, %%rsp" ::"r"(Top),
               "r"(Run)
               : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
                 "r11", "memory", "cc");
#else
  (void)Top;
  Run();
#endif
}

int main(int, char **Args) {
  const bool Fibers = !strcmp(Args[1], "fibers");
  // The page after the stack is closed.
  Stack = static_cast<char *>(mmap(nullptr, Arena + Page, PROT_NONE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(Stack, Arena, PROT_READ | PROT_WRITE);
  for (int Round = 0; Round != 12; ++Round) {
    if (Fibers)
      inFiber(Round % 4 == 2 ? Page : (16 + 16 * (Round % 3)) * Page);
    else
      onStack(Stack + Arena, allocate);
    use(Round);
    free(H);
    cudaFree(D);
  }
}
