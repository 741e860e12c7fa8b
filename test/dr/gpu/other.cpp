//===- other.cpp - Loops with device memory that is not allocated ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of the loop is memory that Echo makes one buffer with no
// other: copies of it must run, and the trace says why it is left alone.
//
// CASE: virtual   | pins
// CASE: variable  | pins
// CASE: graph     | pins split-only
// CASE: imported  | pins split-only
//
// REASON: virtual  | VirtualMemory
// REASON: variable | Symbol
// REASON: graph    | Graph
// REASON: imported | Ipc
//
//===----------------------------------------------------------------------===//
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

static const char Module_[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .global .align 256 .b8 variable[4194304];
)";

static const size_t Bytes = size_t(4) << 20;

static void check(CUresult Status, const char *What) {
  if (!Status)
    return;
  printf("%s: %d\n", What, static_cast<int>(Status));
  fflush(stdout);
  _exit(3);
}

static void start() {
  CUdevice Device;
  CUcontext Context;
  check(cuInit(0), "init");
  check(cuDeviceGet(&Device, 0), "device");
  check(cuDevicePrimaryCtxRetain(&Context, Device), "context");
  check(cuCtxSetCurrent(Context), "current");
}

/// Two mapped parts; a copy of the whole goes across.
static CUdeviceptr reserved(size_t Part) {
  CUmemAllocationProp What = {};
  What.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  What.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc Who = {};
  Who.location = What.location;
  Who.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUdeviceptr D = 0;
  check(cuMemAddressReserve(&D, 2 * Part, 0, 0, 0), "reserve");
  for (size_t I = 0; I != 2; ++I) {
    CUmemGenericAllocationHandle Memory;
    check(cuMemCreate(&Memory, Part, &What, 0), "create");
    check(cuMemMap(D + I * Part, Part, 0, Memory, 0), "map");
    check(cuMemRelease(Memory), "release");
  }
  check(cuMemSetAccess(D, 2 * Part, &Who, 1), "access");
  return D;
}

/// What a graph allocates once it has run.
static CUdeviceptr fromGraph() {
  CUgraph Graph;
  CUgraphExec Exec;
  CUgraphNode Node;
  CUDA_MEM_ALLOC_NODE_PARAMS What = {};
  What.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  What.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  What.bytesize = Bytes;
  check(cuGraphCreate(&Graph, 0), "graph");
  check(cuGraphAddMemAllocNode(&Node, Graph, nullptr, 0, &What), "node");
  check(cuGraphInstantiate(&Exec, Graph, 0), "instantiate");
  check(cuGraphLaunch(Exec, nullptr), "graph launch");
  check(cuCtxSynchronize(), "wait");
  return What.dptr;
}

/// A child's, which lives until the descriptor it reads from is closed.
static CUdeviceptr fromChild(int Until[2], pid_t &Child) {
  int Handles[2];
  CUipcMemHandle Handle;
  if (pipe(Handles) || pipe(Until))
    _exit(4);
  Child = fork();
  if (!Child) {
    close(Until[1]);
    start();
    CUdeviceptr D = 0;
    check(cuMemAlloc(&D, Bytes), "alloc");
    check(cuIpcGetMemHandle(&Handle, D), "handle");
    char End;
    if (write(Handles[1], &Handle, sizeof Handle) != sizeof Handle ||
        read(Until[0], &End, 1))
      _exit(5);
    _exit(0);
  }
  close(Until[0]);
  close(Handles[1]);
  if (read(Handles[0], &Handle, sizeof Handle) != sizeof Handle)
    _exit(6);
  start();
  CUdeviceptr D = 0;
  check(cuIpcOpenMemHandle(&D, Handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
        "open");
  return D;
}

int main(int argc, char **argv) {
  Case = argc > 1 ? argv[1] : "virtual";
  int Until[2] = {-1, -1};
  pid_t Child = 0;
  CUdeviceptr D = 0;
  const size_t Part = size_t(2) << 20;
  if (is("imported"))
    D = fromChild(Until, Child);
  else
    start();
  if (is("virtual"))
    D = reserved(Part);
  if (is("graph"))
    D = fromGraph();
  if (is("variable")) {
    CUmodule Module;
    size_t Size = 0;
    check(cuModuleLoadData(&Module, Module_), "module");
    check(cuModuleGetGlobal(&D, &Size, Module, "variable"), "variable");
  }
  const size_t N = Bytes / sizeof(unsigned);
  auto *H = static_cast<unsigned *>(malloc(Bytes));
  auto *O = static_cast<unsigned *>(malloc(Bytes));
  unsigned long long Sum = 0;
  for (unsigned Round = 0; Round != 8; ++Round) {
    for (size_t I = 0; I != N; ++I)
      H[I] = static_cast<unsigned>(I) ^ Round;
    check(cuMemcpyHtoD(D, H, Bytes), "copy");
    check(cuMemsetD8(D + 4096 * Round, 7, 4096), "set");
    check(cuMemcpyDtoH(O, D, Bytes), "copy");
    for (size_t I = 0; I < N; I += 777)
      Sum = Sum * 31 + O[I];
  }
  printf("%s %llu\n", Case, Sum);
  if (is("virtual")) {
    check(cuMemUnmap(D, 2 * Part), "unmap");
    check(cuMemAddressFree(D, 2 * Part), "free");
  }
  if (is("imported")) {
    check(cuIpcCloseMemHandle(D), "close");
    close(Until[1]);
    int Status = 0;
    waitpid(Child, &Status, 0);
    printf("%d\n", Status);
  }
  free(H);
  free(O);
  return 0;
}
