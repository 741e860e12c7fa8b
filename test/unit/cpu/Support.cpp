//===- Support.cpp - Hand-made modules and child processes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Support.h.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

/// Some tests need kernels that run beside each other, on any machine.
static const int FourWorkers = setenv("ECHO_CPU_THREADS", "4", 0);

TestKernel::TestKernel(const char *Name, Kind How,
                       void (*Body)(const EchoCpuBlock *), unsigned NumParams,
                       unsigned SharedBytes, unsigned MaxThreads) {
  for (unsigned I = 0; I != NumParams; ++I) {
    Offsets.push_back(8 * I);
    Sizes.push_back(8);
  }
  memset(&Code, 0, sizeof(Code));
  Code.name = Name;
  (How == Fibers ? Code.thread : Code.block) = Body;
  Code.flags = How == Fibers ? ECHO_CPU_NEEDS_FIBERS : 0;
  Code.numParams = NumParams;
  Code.paramOffsets = Offsets.data();
  Code.paramSizes = Sizes.data();
  Code.paramBytes = 8 * NumParams;
  Code.staticSharedBytes = SharedBytes;
  Code.maxThreadsPerBlock = MaxThreads;
  memset(&Module, 0, sizeof(Module));
  Module.magic = ECHO_CPU_MODULE_MAGIC;
  Module.version = ECHO_CPU_ABI_VERSION;
  Module.numKernels = 1;
  Module.kernels = &Code;
  Module.source = "test.cu";
  Wrapper = {0x466243b1, 1, &Module, nullptr};
  Handle = __cudaRegisterFatBinary(&Wrapper);
  __cudaRegisterFunction(Handle, reinterpret_cast<const char *>(stub()),
                         const_cast<char *>(Name), Name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(Handle);
}

TestKernel::~TestKernel() {
  cudaDeviceSynchronize();
  __cudaUnregisterFatBinary(Handle);
}

ChildResult runChild(const std::string &Name,
                     const std::vector<std::string> &Environment) {
  int Pipe[2];
  REQUIRE(pipe(Pipe) == 0);
  pid_t Child = fork();
  REQUIRE(Child >= 0);
  if (Child == 0) {
    dup2(Pipe[1], 1);
    dup2(Pipe[1], 2);
    close(Pipe[0]);
    close(Pipe[1]);
    for (const std::string &E : Environment)
      putenv(strdup(E.c_str()));
    execl("/proc/self/exe", "echo_cpu_tests", Name.c_str(), nullptr);
    _exit(127);
  }
  close(Pipe[1]);
  ChildResult R;
  char Part[4096];
  for (ssize_t N; (N = read(Pipe[0], Part, sizeof(Part))) > 0;)
    R.Output.append(Part, N);
  close(Pipe[0]);
  int Status = 0;
  waitpid(Child, &Status, 0);
  R.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  return R;
}
