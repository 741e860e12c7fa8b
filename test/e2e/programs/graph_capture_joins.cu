// What CUDA answers around stream captures of several streams: events, forks and
// joins, threads, and what is asked of a capture. The output is an H200's with CUDA
// 13.0 (gpu-outputs.txt), and agrees with the CUDA Runtime API's pages on
// cudaStreamBeginCapture, cudaStreamEndCapture and
// cudaThreadExchangeStreamCaptureMode, and with the CUDA C++ Programming Guide,
// "Prohibited and Unhandled Operations".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "graph_captures.h"
#include <thread>

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
  setUp();
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
