// What CUDA answers around stream captures: which calls a capture refuses and which
// end it, by mode and thread, and for the legacy stream. The output is an H200's
// with CUDA 13.0 (gpu-outputs.txt), and agrees with the CUDA Runtime API's pages on
// cudaStreamBeginCapture, cudaStreamEndCapture and
// cudaThreadExchangeStreamCaptureMode, and with the CUDA C++ Programming Guide,
// "Prohibited and Unhandled Operations".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "graph_captures.h"
#include <thread>

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

int main() {
  setUp();
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
}
