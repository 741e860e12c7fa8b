//===- driver.cpp - Loops of the driver API -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the driver as its argument says, and computes with it as programs of
// the driver API do; no CUDA runtime. Runs on a GPU alone.
//
// CASE: linked       | pins
// CASE: loaded       | pins
// CASE: looked-up    | pins
// CASE: per-thread   | pins
// CASE: unified      | pins
// CASE: overwritten  | pins split-only
// CASE: async        | pins
// CASE: part         | pins split-only
// CASE: inspected    | split-only
// CASE: registered   | split-only
// CASE: rows         | split-only
// CASE: exit-frees   | pins
// CASE: callback-frees | pins split-only
// CASE: callback-discards | pins split-only
// CASE: captured     | split-only
// CASE: captured-later | pins warns
//
// VALIDATE: linked       | in=pass out=pass
// VALIDATE: looked-up    | in=pass out=pass
// VALIDATE: per-thread   | in=pass out=pass
// VALIDATE: unified      | in=pass out=pass
// VALIDATE: async        | in=pass out=pass
// VALIDATE: overwritten  | in=HostAccess out=HostAccess
// VALIDATE: part         | in=OtherCopy out=pass
// VALIDATE: inspected    | in=DroppedOut out=pass
// VALIDATE: registered   | in=DroppedOut out=pass
//
// KERNEL: linked    | scale
// KERNEL: looked-up | scale
//
//===----------------------------------------------------------------------===//
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

static const char Kernel[] = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .entry scale(.param .u64 p, .param .u64 q, .param .u32 n) {
  .reg .pred %c;
  .reg .b32 %r<8>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [p];
  ld.param.u64 %d2, [q];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %c, %r5, %r1;
  @%c ret;
  mul.wide.u32 %d3, %r5, 4;
  add.s64 %d4, %d1, %d3;
  ld.global.u32 %r6, [%d4];
  mad.lo.s32 %r6, %r6, 3, 1;
  add.s64 %d5, %d2, %d3;
  st.global.u32 [%d5], %r6;
  ret;
}
)";

using LookUp = CUresult (*)(const char *, void **, int, cuuint64_t,
                            CUdriverProcAddressQueryResult *);
static void *Library;
static LookUp Find;

/// The driver's function, found in the way of the case.
template <class F>
static F *get(F *Linked, const char *Base, const char *Symbol, int Version) {
  if (is("loaded"))
    return reinterpret_cast<F *>(dlsym(Library, Symbol));
  if (is("looked-up") || is("per-thread")) {
    void *Found = nullptr;
    CUdriverProcAddressQueryResult Result;
    cuuint64_t Flags = is("per-thread") ? 2 : 0;
    if (Find(Base, &Found, Version, Flags, &Result))
      printf("no %s\n", Base);
    return reinterpret_cast<F *>(Found);
  }
  return Linked;
}

static const size_t Most = size_t(4) << 20; // bytes of each buffer

static unsigned *buffer() {
  if (strncmp(Case, "callback-", 9))
    return static_cast<unsigned *>(malloc(Most));
  return static_cast<unsigned *>(mmap(nullptr, Most, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

/// In a host function, which must not call CUDA.
static void giveBack(void *Buffer) {
  const int Status = is("callback-frees")
                         ? munmap(Buffer, Most)
                         : madvise(Buffer, Most, MADV_DONTNEED);
  if (Status)
    printf("not given back\n");
}

/// Gives buffers back when the driver has gone: made before it was started.
static struct AtExit {
  unsigned *H = nullptr, *O = nullptr;
  CUdeviceptr P = 0, Q = 0;
  ~AtExit() {
    if (!H)
      return;
    free(H);
    printf("%d %d\n", cuMemFree(P), cuMemFree(Q));
    free(O);
  }
} Last;

static void check(CUresult Status, const char *What) {
  if (Status)
    printf("%s: %d\n", What, static_cast<int>(Status));
}

/// A round as a graph, which none of the runs had that a plan is made of.
static CUgraphExec roundAsGraph(CUstream S, CUdeviceptr P, CUdeviceptr Q,
                                CUfunction F, unsigned *H, unsigned *O,
                                unsigned N) {
  CUgraph Graph;
  CUgraphExec Exec;
  void *Params[] = {&P, &Q, &N};
  const size_t Bytes = N * sizeof(unsigned);
  check(cuStreamBeginCapture(S, CU_STREAM_CAPTURE_MODE_RELAXED), "begin");
  check(cuMemcpyHtoDAsync(P, H, Bytes, S), "captured copy");
  check(cuLaunchKernel(F, (N + 255) / 256, 1, 1, 256, 1, 1, 0, S, Params,
                       nullptr),
        "captured launch");
  check(cuMemcpyDtoHAsync(O, Q, Bytes, S), "captured copy");
  check(cuStreamEndCapture(S, &Graph), "end");
  size_t Nodes = 0;
  check(cuGraphGetNodes(Graph, nullptr, &Nodes), "nodes");
  if (Nodes != 3)
    printf("%zu nodes\n", Nodes);
  check(cuGraphInstantiate(&Exec, Graph, 0), "instantiate");
  return Exec;
}

static bool isOptimized() {
  const char *Mode = getenv("ECHO_DR_MODE");
  return Mode && !strcmp(Mode, "optimize");
}

int main(int argc, char **argv) {
  Case = argc > 1 ? argv[1] : "linked";
  Library = dlopen("libcuda.so.1", RTLD_NOW);
  Find = reinterpret_cast<LookUp>(dlsym(Library, "cuGetProcAddress_v2"));
  CUdevice Device;
  CUcontext Context;
  CUmodule Module;
  CUfunction F;
  check(cuInit(0), "init");
  check(cuDeviceGet(&Device, 0), "device");
  check(cuDevicePrimaryCtxRetain(&Context, Device), "context");
  check(cuCtxSetCurrent(Context), "current");
  check(cuModuleLoadData(&Module, Kernel), "module");
  check(cuModuleGetFunction(&F, Module, "scale"), "function");

  auto *Alloc = get(&cuMemAlloc, "cuMemAlloc", "cuMemAlloc_v2", 3020);
  auto *Free = get(&cuMemFree, "cuMemFree", "cuMemFree_v2", 3020);
  auto *Up = get(&cuMemcpyHtoD, "cuMemcpyHtoD", "cuMemcpyHtoD_v2", 7000);
  auto *Down = get(&cuMemcpyDtoH, "cuMemcpyDtoH", "cuMemcpyDtoH_v2", 7000);
  auto *Launch = get(&cuLaunchKernel, "cuLaunchKernel", "cuLaunchKernel", 7000);

  unsigned N = 1 << 20;
  const size_t Bytes = N * sizeof(unsigned);
  unsigned *H = buffer();
  auto *O = static_cast<unsigned *>(malloc(Bytes));
  CUdeviceptr P = 0, Q = 0;
  check(Alloc(&P, Bytes), "alloc");
  check(Alloc(&Q, Bytes), "alloc");
  CUstream S = nullptr;
  const bool Async = is("async") || is("overwritten") || is("captured") ||
                     is("captured-later");
  if (Async)
    check(cuStreamCreate(&S, CU_STREAM_NON_BLOCKING), "stream");
  if (is("registered"))
    check(cuMemHostRegister(H, Bytes, 0), "register");
  unsigned long long Sum = 0;
  CUgraphExec Later = nullptr;
  for (unsigned Round = 0; Round != 8; ++Round) {
    for (unsigned I = 0; I != N; ++I)
      H[I] = I ^ Round;
    if (is("captured-later") && Round == 4 && isOptimized())
      Later = roundAsGraph(S, P, Q, F, H, O, N);
    if (Later && Round != 6) { // and one without the graph
      check(cuGraphLaunch(Later, S), "graph");
      check(cuStreamSynchronize(S), "wait");
      for (unsigned I = 0; I < N; I += 777)
        Sum = Sum * 31 + O[I];
      continue;
    }
    void *Params[] = {&P, &Q, &N};
    if (is("unified")) {
      check(cuMemcpy(P, reinterpret_cast<CUdeviceptr>(H), Bytes), "copy");
    } else if (is("captured") && Round == 5) {
      CUgraph Graph;
      CUgraphExec Exec;
      check(cuStreamBeginCapture(S, CU_STREAM_CAPTURE_MODE_RELAXED), "begin");
      check(cuMemcpyHtoDAsync(P, H, Bytes, S), "captured copy");
      check(cuStreamEndCapture(S, &Graph), "end");
      check(cuGraphInstantiate(&Exec, Graph, 0), "instantiate");
      check(cuGraphLaunch(Exec, S), "graph");
      check(cuStreamSynchronize(S), "wait");
    } else if (Async) {
      check(cuMemcpyHtoDAsync(P, H, Bytes, S), "async copy");
      if (is("overwritten")) // pageable memory was read when the call returned
        memset(H, 0xff, Bytes);
    } else if (is("rows")) {
      CUDA_MEMCPY2D C = {};
      C.srcMemoryType = CU_MEMORYTYPE_HOST;
      C.srcHost = H;
      C.srcPitch = C.dstPitch = C.WidthInBytes = 4096;
      C.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      C.dstDevice = P;
      C.Height = Bytes / 4096;
      check(cuMemcpy2D(&C), "rows");
    } else if (is("part") && Round == 6) {
      check(Up(P + 4096, H + 1024, Bytes - 4096), "part");
    } else {
      check(Up(P, H, Bytes), "copy");
    }
    if (is("inspected")) {
      unsigned Type = 77;
      CUresult R =
          cuPointerGetAttribute(&Type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                reinterpret_cast<CUdeviceptr>(H));
      Sum += static_cast<unsigned>(R) * 1000 + Type;
    }
    check(Launch(F, (N + 255) / 256, 1, 1, 256, 1, 1, 0, S, Params, nullptr),
          "launch");
    if (Async) {
      check(cuMemcpyDtoHAsync(O, Q, Bytes, S), "async copy");
      if (!is("overwritten")) // it is complete when the call returns
        check(cuStreamSynchronize(S), "wait");
    } else {
      check(Down(O, Q, Bytes), "copy");
    }
    if (!strncmp(Case, "callback-", 9) && Round == 4) {
      check(cuLaunchHostFunc(S, giveBack, H), "host function");
      check(cuStreamSynchronize(S), "wait");
      if (is("callback-frees"))
        H = buffer();
    }
    for (unsigned I = 0; I < N; I += 777)
      Sum = Sum * 31 + O[I];
  }
  printf("%s %llu\n", Case, Sum);
  if (is("registered"))
    check(cuMemHostUnregister(H), "unregister");
  if (is("exit-frees")) {
    Last.H = H, Last.O = O, Last.P = P, Last.Q = Q;
    return 0;
  }
  check(Free(P), "free");
  check(Free(Q), "free");
  if (strncmp(Case, "callback-", 9))
    free(H);
  else
    munmap(H, Bytes);
  free(O);
  return 0;
}
