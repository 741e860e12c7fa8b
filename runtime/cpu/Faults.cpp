//===- Faults.cpp - Bad addresses in kernels ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles SIGSEGV and SIGBUS of kernels. See Faults.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Faults.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/Grid.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace echo::cpu {

static void onFault(int Signal, siginfo_t *Info, void *) {
  const char *Kernel = runningKernel();
  if (!Kernel) {
    // Not a kernel's: the access faults again, without this handler.
    signal(Signal, SIG_DFL);
    return;
  }
  char Line[512];
  const uint32_t *Block = echo_cpu_self->block->blockIdx;
  FiberBlock *Fibers = currentFiberBlock();
  int Length =
      Fibers && Fibers->onGuard(Info->si_addr)
          ? snprintf(Line, sizeof(Line),
                     "echo-cpu: error: kernel %s: a thread of block "
                     "[%u,%u,%u] needs more than %zu bytes of stack; raise "
                     "ECHO_CPU_STACK\n",
                     Kernel, Block[0], Block[1], Block[2], fiberStack())
          : snprintf(Line, sizeof(Line),
                     "echo-cpu: error: kernel %s: block [%u,%u,%u] uses the "
                     "illegal address %p\n",
                     Kernel, Block[0], Block[1], Block[2], Info->si_addr);
  if (write(STDERR_FILENO, Line, Length) < 0)
    signal(Signal, SIG_DFL);
  abandonKernel(cudaErrorIllegalAddress);
}

void startFaults() {
  for (int Signal : {SIGSEGV, SIGBUS}) {
    struct sigaction Old;
    if (sigaction(Signal, nullptr, &Old) ||
        ((Old.sa_flags & SA_SIGINFO) == 0 && Old.sa_handler != SIG_DFL) ||
        ((Old.sa_flags & SA_SIGINFO) && Old.sa_sigaction))
      continue;
    struct sigaction Action;
    memset(&Action, 0, sizeof(Action));
    Action.sa_sigaction = onFault;
    // The handler is left by a jump, so the signal must stay open.
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(Signal, &Action, nullptr);
  }
}

void prepareFaultStack() {
  // What the kernel puts there grows with the processor's vectors.
  const size_t Bytes = (64 << 10) + getauxval(AT_MINSIGSTKSZ);
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (P == MAP_FAILED)
    return;
  stack_t Stack;
  memset(&Stack, 0, sizeof(Stack));
  Stack.ss_sp = P;
  Stack.ss_size = Bytes;
  sigaltstack(&Stack, nullptr);
}

} // namespace echo::cpu
