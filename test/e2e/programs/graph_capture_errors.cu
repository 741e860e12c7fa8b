// What CUDA answers around stream captures: which calls a capture refuses and
// which end it, by mode and thread, for the legacy stream, events, forks and
// joins. The output is an H200's with CUDA 13.0 (gpu-outputs.txt), and agrees
// with the CUDA Runtime API's pages on cudaStreamBeginCapture,
// cudaStreamEndCapture and cudaThreadExchangeStreamCaptureMode, and with the
// CUDA C++ Programming Guide, "Prohibited and Unhandled Operations".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void add(int *p, int n) { p[threadIdx.x] += n; }
__global__ void mul(int *p, int n) { p[threadIdx.x] *= n; }
static int *D, *D2, *H, Pageable[64];
/// Without it there is nothing to see.
#define NEED(x)                                                                \
  do {                                                                         \
    if (x)                                                                     \
      exit(9);                                                                 \
  } while (0)
#define SAY(x)                                                                 \
  do {                                                                         \
    cudaError_t e_ = (x);                                                      \
    printf("  %s: %s\n", #x, e_ ? cudaGetErrorName(e_) : "ok");                \
    cudaGetLastError();                                                        \
  } while (0)
static void title(const char *Text) { printf("%s\n", Text); }
static cudaStream_t st(bool nb = false) {
  cudaStream_t s;
  if (cudaStreamCreateWithFlags(&s, nb ? cudaStreamNonBlocking : 0))
    exit(9);
  return s;
}
static cudaEvent_t ev() {
  cudaEvent_t e;
  if (cudaEventCreateWithFlags(&e, cudaEventDisableTiming))
    exit(9);
  return e;
}
static cudaGraph_t G;
static void nodes(cudaGraph_t g) {
  if (!g) {
    printf("  no graph\n");
    return;
  }
  size_t n = 0, m = 0;
  cudaGraphGetNodes(g, 0, &n);
  cudaGraphGetEdges(g, 0, 0, 0, &m);
  printf("  %zu nodes %zu edges:", n, m);
  std::vector<cudaGraphNode_t> v(n);
  cudaGraphGetNodes(g, v.data(), &n);
  for (auto x : v) {
    cudaGraphNodeType t;
    cudaGraphNodeGetType(x, &t);
    printf(" %d", t);
  }
  printf("\n");
}
static void end(cudaStream_t s) {
  G = (cudaGraph_t)1;
  cudaError_t e = cudaStreamEndCapture(s, &G);
  printf("  end: %s %s\n", e ? cudaGetErrorName(e) : "ok",
         G == (cudaGraph_t)1 ? "untouched"
         : G                 ? "graph"
                             : "null");
  cudaGetLastError();
  if (G && G != (cudaGraph_t)1)
    nodes(G);
}
#define BEGIN(s, m)                                                            \
  do {                                                                         \
    cudaError_t e_ = cudaStreamBeginCapture(s, cudaStreamCaptureMode##m);      \
    if (e_)                                                                    \
      printf("  begin: %s\n", cudaGetErrorName(e_));                           \
  } while (0)
static void status(cudaStream_t s) {
  cudaStreamCaptureStatus c = (cudaStreamCaptureStatus)9;
  cudaError_t e = cudaStreamIsCapturing(s, &c);
  printf("  status %s %d\n", e ? cudaGetErrorName(e) : "ok", e ? 0 : c);
  cudaGetLastError();
}
static cudaStream_t a, b, nb;
static cudaEvent_t e1, e2;

static void beginOnLegacy() {
  title("begin on legacy");
  SAY(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamBeginCapture(a, (cudaStreamCaptureMode)7));
}

static void beginTwice() {
  title("begin twice");
  BEGIN(a, Global);
  SAY(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  status(a);
  end(a);
}

static void endWithoutBegin() {
  title("end without begin");
  end(a);
  SAY(cudaStreamEndCapture(0, &G));
}

static void endNull() {
  title("end null");
  BEGIN(a, Global);
  SAY(cudaStreamEndCapture(a, nullptr));
  status(a);
  end(a);
}

static void syncStream() {
  title("sync stream");
  BEGIN(a, Global);
  SAY(cudaStreamSynchronize(a));
  status(a);
  SAY(cudaStreamSynchronize(a));
  SAY(cudaMemsetAsync(D, 0, 4, a));
  end(a);
  status(a);
}

static void queryStream() {
  title("query stream");
  BEGIN(a, Relaxed);
  SAY(cudaStreamQuery(a));
  status(a);
  end(a);
}

static void syncOtherStream() {
  title("sync other stream");
  BEGIN(a, Global);
  SAY(cudaStreamSynchronize(b));
  status(a);
  SAY(cudaStreamQuery(b));
  status(a);
  end(a);
}

static void syncOtherStreamRelaxed() {
  title("sync other stream relaxed");
  BEGIN(a, Relaxed);
  SAY(cudaStreamSynchronize(b));
  status(a);
  end(a);
}

static void deviceSyncGlobal() {
  title("device sync global");
  BEGIN(a, Global);
  SAY(cudaDeviceSynchronize());
  status(a);
  end(a);
}

static void deviceSyncRelaxed() {
  title("device sync relaxed");
  BEGIN(a, Relaxed);
  SAY(cudaDeviceSynchronize());
  status(a);
  end(a);
}

static void deviceSyncNonblockingRelaxed() {
  title("device sync nonblocking relaxed");
  BEGIN(nb, Relaxed);
  SAY(cudaDeviceSynchronize());
  status(nb);
  end(nb);
}

static void mallocGlobal() {
  title("malloc global");
  {
    int *p = 0;
    BEGIN(a, Global);
    SAY(cudaMalloc(&p, 64));
    status(a);
    end(a);
    cudaFree(p);
  }
}

static void mallocRelaxed() {
  title("malloc relaxed");
  {
    int *p = 0;
    BEGIN(a, Relaxed);
    SAY(cudaMalloc(&p, 64));
    status(a);
    end(a);
    cudaFree(p);
  }
}

static void mallocExchange() {
  title("malloc exchange");
  {
    int *p = 0;
    BEGIN(a, Global);
    cudaStreamCaptureMode m = cudaStreamCaptureModeRelaxed;
    SAY(cudaThreadExchangeStreamCaptureMode(&m));
    printf("  old %d\n", m);
    SAY(cudaMalloc(&p, 64));
    status(a);
    end(a);
    cudaThreadExchangeStreamCaptureMode(&m);
    printf("  old %d\n", m);
    cudaFree(p);
  }
}

static void mallocOtherThread() {
  title("malloc other thread");
  {
    int *p = 0;
    BEGIN(a, Global);
    std::thread([&] { SAY(cudaMalloc(&p, 64)); }).join();
    status(a);
    end(a);
    cudaFree(p);
    p = 0;
    BEGIN(a, ThreadLocal);
    std::thread([&] { SAY(cudaMalloc(&p, 64)); }).join();
    status(a);
    end(a);
    cudaFree(p);
    p = 0;
    BEGIN(a, Global);
    std::thread([&] {
      cudaStreamCaptureMode m = cudaStreamCaptureModeThreadLocal;
      cudaThreadExchangeStreamCaptureMode(&m);
      SAY(cudaMalloc(&p, 64));
    }).join();
    status(a);
    end(a);
    cudaFree(p);
  }
}

static void freeCases() {
  title("free");
  {
    int *p;
    NEED(cudaMalloc(&p, 64));
    BEGIN(a, Global);
    SAY(cudaFree(p));
    status(a);
    end(a);
    SAY(cudaFree(p));
  }
}

static void pinned() {
  title("pinned");
  {
    int *p = 0;
    BEGIN(a, Global);
    SAY(cudaMallocHost(&p, 64));
    status(a);
    end(a);
    cudaFreeHost(p);
    NEED(cudaMallocHost(&p, 64));
    BEGIN(a, Global);
    SAY(cudaFreeHost(p));
    status(a);
    end(a);
    cudaFreeHost(p);
    BEGIN(a, Global);
    SAY(cudaHostRegister(Pageable, 256, 0));
    status(a);
    end(a);
    cudaHostUnregister(Pageable);
    cudaGetLastError();
  }
}

static void managed() {
  title("managed");
  {
    int *p = 0;
    BEGIN(a, Global);
    SAY(cudaMallocManaged(&p, 64));
    status(a);
    end(a);
    cudaFree(p);
    cudaGetLastError();
  }
}

static void makeObjects() {
  title("make objects");
  {
    BEGIN(a, Global);
    cudaEvent_t x = nullptr;
    cudaStream_t y = nullptr;
    SAY(cudaEventCreate(&x));
    SAY(cudaStreamCreate(&y));
    SAY(cudaEventDestroy(x));
    status(a);
    SAY(cudaStreamDestroy(y));
    int n;
    size_t f, t;
    SAY(cudaGetDevice(&n));
    SAY(cudaSetDevice(0));
    SAY(cudaMemGetInfo(&f, &t));
    status(a);
    cudaFuncAttributes fa;
    SAY(cudaFuncGetAttributes(&fa, add));
    cudaPointerAttributes pa;
    SAY(cudaPointerGetAttributes(&pa, D));
    void *sp;
    (void)sp;
    status(a);
    end(a);
  }
}

static void legacyLaunchBlocking() {
  title("legacy launch blocking");
  BEGIN(a, Global);
  add<<<1, 1>>>(D, 1);
  SAY(cudaGetLastError());
  status(a);
  end(a);
}

static void legacyLaunchBlockingRelaxed() {
  title("legacy launch blocking relaxed");
  BEGIN(a, Relaxed);
  add<<<1, 1>>>(D, 1);
  SAY(cudaGetLastError());
  status(a);
  end(a);
}

static void legacyLaunchNonblocking() {
  title("legacy launch nonblocking");
  BEGIN(nb, Global);
  add<<<1, 1>>>(D, 1);
  SAY(cudaGetLastError());
  status(nb);
  end(nb);
}

static void legacyMemcpyBlocking() {
  title("legacy memcpy blocking");
  BEGIN(a, Global);
  SAY(cudaMemcpy(D, H, 4, cudaMemcpyHostToDevice));
  status(a);
  end(a);
}

static void legacyMemcpyBlockingRelaxed() {
  title("legacy memcpy blocking relaxed");
  BEGIN(a, Relaxed);
  SAY(cudaMemcpy(D, H, 4, cudaMemcpyHostToDevice));
  status(a);
  end(a);
}

static void legacyMemcpyNonblocking() {
  title("legacy memcpy nonblocking");
  BEGIN(nb, Global);
  SAY(cudaMemcpy(D, H, 4, cudaMemcpyHostToDevice));
  status(nb);
  end(nb);
}

static void legacyMemcpyNonblockingRelaxed() {
  title("legacy memcpy nonblocking relaxed");
  BEGIN(nb, Relaxed);
  SAY(cudaMemcpy(D, H, 4, cudaMemcpyHostToDevice));
  status(nb);
  end(nb);
}

static void legacyMemset() {
  title("legacy memset");
  BEGIN(a, Global);
  SAY(cudaMemset(D, 0, 4));
  status(a);
  end(a);
  BEGIN(nb, Global);
  SAY(cudaMemset(D, 0, 4));
  status(nb);
  end(nb);
  BEGIN(a, Global);
  SAY(cudaMemsetAsync(D, 0, 4, 0));
  status(a);
  end(a);
}

static void legacySyncQueryRecordWait() {
  title("legacy sync, query, record, wait");
  BEGIN(a, Global);
  SAY(cudaStreamSynchronize(0));
  status(a);
  end(a);
  BEGIN(a, Relaxed);
  SAY(cudaStreamQuery(0));
  status(a);
  end(a);
  BEGIN(a, Relaxed);
  SAY(cudaEventRecord(e1, 0));
  status(a);
  end(a);
  BEGIN(a, Relaxed);
  SAY(cudaStreamWaitEvent(0, e1, 0));
  status(a);
  end(a);
  BEGIN(a, Relaxed);
  status(0);
  SAY(cudaLaunchHostFunc(0, [](void *) {}, 0));
  status(a);
  end(a);
}

static void otherStreamWorks() {
  title("other stream works");
  BEGIN(a, Global);
  SAY(cudaMemsetAsync(D, 0, 4, b));
  SAY(cudaMemcpyAsync(D, H, 4, cudaMemcpyHostToDevice, b));
  SAY(cudaEventRecord(e1, b));
  SAY(cudaEventQuery(e1));
  status(a);
  SAY(cudaMemcpyAsync(Pageable, D, 4, cudaMemcpyDeviceToHost, b));
  status(a);
  end(a);
  BEGIN(a, Global);
  SAY(cudaEventSynchronize(e1));
  status(a);
  end(a);
}

static void capturedEvent() {
  title("captured event");
  BEGIN(a, Relaxed);
  SAY(cudaEventRecord(e1, a));
  SAY(cudaEventSynchronize(e1));
  status(a);
  end(a);
  SAY(cudaEventSynchronize(e1));
  BEGIN(a, Relaxed);
  SAY(cudaEventRecord(e1, a));
  SAY(cudaEventQuery(e1));
  status(a);
  end(a);
  SAY(cudaEventQuery(e1));
  SAY(cudaStreamWaitEvent(b, e1, 0));
  status(b);
  {
    float ms;
    SAY(cudaEventElapsedTime(&ms, e1, e1));
  }
  SAY(cudaEventRecord(e1, b));
  SAY(cudaEventSynchronize(e1));
}

static void pageable() {
  title("pageable");
  BEGIN(a, Global);
  SAY(cudaMemcpyAsync(D, Pageable, 64, cudaMemcpyHostToDevice, a));
  status(a);
  SAY(cudaMemcpyAsync(Pageable, D, 64, cudaMemcpyDeviceToHost, a));
  status(a);
  end(a);
}

static void syncMemcpyPtdsInCapture() {
  title("sync memcpy ptds in capture");
  BEGIN(a, Global);
  SAY(cudaMemcpyAsync(D, H, 64, cudaMemcpyHostToDevice, a));
  SAY(cudaMemcpy2DAsync(D, 16, H, 16, 8, 4, cudaMemcpyHostToDevice, a));
  SAY(cudaMemset2DAsync(D, 16, 1, 8, 4, a));
  SAY(cudaLaunchHostFunc(a, [](void *) {}, 0));
  add<<<1, 1, 0, a>>>(D, 1);
  status(a);
  SAY(cudaMemcpyAsync(D2, D, 64, cudaMemcpyDeviceToDevice, a));
  SAY(cudaMemcpyAsync(D2, D, 0, cudaMemcpyDeviceToDevice, a));
  SAY(cudaMemcpyAsync(Pageable, H, 64, cudaMemcpyHostToHost, a));
  status(a);
  end(a);
}

static void callback() {
  title("callback");
  BEGIN(a, Global);
  SAY(cudaStreamAddCallback(a, [](cudaStream_t, cudaError_t, void *) {}, 0, 0));
  status(a);
  end(a);
}

static void badCallsInCapture() {
  title("bad calls in capture");
  BEGIN(a, Global);
  add<<<1, 5000, 0, a>>>(D, 1);
  SAY(cudaGetLastError());
  status(a);
  SAY(cudaMemcpyAsync(D, H, 1 << 20, cudaMemcpyHostToDevice, a));
  status(a);
  SAY(cudaMemsetAsync(0, 0, 4, a));
  status(a);
  SAY(cudaLaunchHostFunc(a, 0, 0));
  status(a);
  end(a);
}

static void forkJoin() {
  title("fork join");
  BEGIN(a, Global);
  add<<<1, 1, 0, a>>>(D, 1);
  SAY(cudaEventRecord(e1, a));
  SAY(cudaStreamWaitEvent(b, e1, 0));
  status(b);
  mul<<<1, 1, 0, b>>>(D2, 1);
  SAY(cudaEventRecord(e2, b));
  SAY(cudaStreamWaitEvent(a, e2, 0));
  mul<<<1, 1, 0, a>>>(D, 1);
  end(a);
  status(b);
  SAY(cudaStreamSynchronize(b));
}

static void unjoined() {
  title("unjoined");
  BEGIN(a, Global);
  add<<<1, 1, 0, a>>>(D, 1);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  mul<<<1, 1, 0, b>>>(D2, 1);
  end(a);
  status(a);
  status(b);
}

static void unjoinedWithoutWork() {
  title("unjoined without work");
  BEGIN(a, Global);
  add<<<1, 1, 0, a>>>(D, 1);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  end(a);
  status(b);
}

static void isolation() {
  title("isolation");
  cudaEventRecord(e1, b);
  BEGIN(a, Global);
  SAY(cudaStreamWaitEvent(a, e1, 0));
  status(a);
  end(a);
}

static void unrecorded() {
  title("unrecorded");
  {
    cudaEvent_t x = ev();
    BEGIN(a, Global);
    SAY(cudaStreamWaitEvent(a, x, 0));
    status(a);
    end(a);
  }
}

static void merge() {
  title("merge");
  BEGIN(a, Global);
  BEGIN(b, Global);
  add<<<1, 1, 0, a>>>(D, 1);
  SAY(cudaEventRecord(e1, a));
  SAY(cudaStreamWaitEvent(b, e1, 0));
  status(a);
  status(b);
  end(b);
  end(a);
}

static void staleEvent() {
  title("stale event");
  BEGIN(a, Global);
  add<<<1, 1, 0, a>>>(D, 1);
  cudaEventRecord(e1, a);
  end(a);
  SAY(cudaStreamWaitEvent(b, e1, 0));
  BEGIN(a, Global);
  SAY(cudaStreamWaitEvent(a, e1, 0));
  status(a);
  end(a);
}

static void unmatched() {
  title("unmatched");
  BEGIN(a, Global);
  cudaEventRecord(e1, a);
  cudaStreamWaitEvent(b, e1, 0);
  end(b);
  status(a);
  status(b);
  end(a);
}

static void wrongThread() {
  title("wrong thread");
  BEGIN(a, Global);
  std::thread([&] {
    end(a);
    status(a);
  }).join();
  status(a);
  end(a);
  BEGIN(a, Relaxed);
  std::thread([&] { end(a); }).join();
  status(a);
}

static void wrongThreadWorks() {
  title("wrong thread works");
  BEGIN(a, Global);
  std::thread([&] { SAY(cudaMemsetAsync(D, 0, 4, a)); }).join();
  end(a);
}

static void destroyCapturing() {
  title("destroy capturing");
  {
    cudaStream_t x = st();
    BEGIN(x, Global);
    SAY(cudaStreamDestroy(x));
    int *p = 0;
    SAY(cudaMalloc(&p, 4));
    cudaFree(p);
  }
}

static void externalEvents() {
  title("external events");
  BEGIN(a, Global);
  SAY(cudaEventRecordWithFlags(e1, a, cudaEventRecordExternal));
  SAY(cudaStreamWaitEvent(a, e2, cudaEventWaitExternal));
  status(a);
  end(a);
  SAY(cudaEventRecordWithFlags(e1, a, cudaEventRecordExternal));
  SAY(cudaStreamWaitEvent(a, e2, cudaEventWaitExternal));
}

static void captureInfo() {
  title("capture info");
  {
    cudaStreamCaptureStatus cs;
    unsigned long long id = 0, id2 = 0;
    cudaGraph_t g = 0;
    const cudaGraphNode_t *d = 0;
    size_t n = 9;
    SAY(cudaStreamGetCaptureInfo(a, &cs, &id, &g, &d, 0, &n));
    printf("  %d %d %zu\n", cs, g != 0, n);
    BEGIN(a, Global);
    SAY(cudaStreamGetCaptureInfo(a, &cs, &id, &g, &d, 0, &n));
    printf("  %d %d %zu\n", cs, g != 0, n);
    add<<<1, 1, 0, a>>>(D, 1);
    SAY(cudaStreamGetCaptureInfo(a, &cs, &id2, &g, &d, 0, &n));
    printf("  %d %d %zu %d\n", cs, g != 0, n, id == id2);
    SAY(cudaStreamGetCaptureInfo(a, nullptr, &id2, &g, &d, 0, &n));
    nodes(g);
    SAY(cudaStreamUpdateCaptureDependencies(a, nullptr, nullptr, 0,
                                            cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, a>>>(D, 1);
    SAY(cudaStreamUpdateCaptureDependencies(b, nullptr, nullptr, 0, 0));
    SAY(cudaStreamGetCaptureInfo(0, &cs, &id2, &g, &d, 0, &n));
    end(a);
    printf("  same %d\n", g == G);
    SAY(cudaStreamIsCapturing(a, nullptr));
  }
}

static void captureToGraph() {
  title("capture to graph");
  {
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t x;
    cudaGraphAddEmptyNode(&x, g, 0, 0);
    SAY(cudaStreamBeginCaptureToGraph(a, g, &x, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, a>>>(D, 1);
    end(a);
    printf("  same %d\n", g == G);
    SAY(cudaStreamBeginCaptureToGraph(a, g, &x, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
    SAY(cudaStreamSynchronize(a));
    end(a);
    nodes(g);
  }
}

static void graphInCapture() {
  title("graph in capture");
  {
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t x;
    cudaGraphAddEmptyNode(&x, g, 0, 0);
    cudaGraphExec_t ex;
    SAY(cudaGraphInstantiate(&ex, g, 0));
    BEGIN(a, Global);
    SAY(cudaGraphLaunch(ex, a));
    SAY(cudaGraphUpload(ex, a));
    status(a);
    end(a);
    BEGIN(a, Global);
    cudaGraphExec_t ey = 0;
    SAY(cudaGraphInstantiate(&ey, g, 0));
    status(a);
    SAY(cudaGraphLaunch(ex, b));
    SAY(cudaGraphExecDestroy(ey));
    SAY(cudaGraphLaunch(ex, 0));
    status(a);
    end(a);
  }
}

int main() {
  NEED(cudaMalloc(&D, 4096));
  NEED(cudaMalloc(&D2, 4096));
  NEED(cudaMallocHost(&H, 4096));
  cudaMemset(D, 0, 4096);
  cudaDeviceSynchronize();
  add<<<1, 1>>>(D, 0);
  cudaDeviceSynchronize();
  a = st();
  b = st();
  nb = st(true);
  e1 = ev();
  e2 = ev();
  beginOnLegacy();
  beginTwice();
  endWithoutBegin();
  endNull();
  syncStream();
  queryStream();
  syncOtherStream();
  syncOtherStreamRelaxed();
  deviceSyncGlobal();
  deviceSyncRelaxed();
  deviceSyncNonblockingRelaxed();
  mallocGlobal();
  mallocRelaxed();
  mallocExchange();
  mallocOtherThread();
  freeCases();
  pinned();
  managed();
  makeObjects();
  legacyLaunchBlocking();
  legacyLaunchBlockingRelaxed();
  legacyLaunchNonblocking();
  legacyMemcpyBlocking();
  legacyMemcpyBlockingRelaxed();
  legacyMemcpyNonblocking();
  legacyMemcpyNonblockingRelaxed();
  legacyMemset();
  legacySyncQueryRecordWait();
  otherStreamWorks();
  capturedEvent();
  pageable();
  syncMemcpyPtdsInCapture();
  callback();
  badCallsInCapture();
  forkJoin();
  unjoined();
  unjoinedWithoutWork();
  isolation();
  unrecorded();
  merge();
  staleEvent();
  unmatched();
  wrongThread();
  wrongThreadWorks();
  destroyCapturing();
  externalEvents();
  captureInfo();
  captureToGraph();
  graphInCapture();
}
