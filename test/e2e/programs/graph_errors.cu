// What CUDA answers of graphs: which nodes, edges and parameters it refuses, what
// a graph that was instantiated may become, and what lists give. The output is an
// H200's with CUDA 13.0 (gpu-outputs.txt), and agrees with the CUDA Runtime API's
// pages on graph management.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "graph_calls.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static cudaGraph_t g() {
  cudaGraph_t x;
  cudaGraphCreate(&x, 0);
  return x;
}
static cudaGraphNode_t empty(cudaGraph_t x) {
  cudaGraphNode_t n;
  cudaGraphAddEmptyNode(&n, x, 0, 0);
  return n;
}
static cudaGraphNode_t after(cudaGraph_t x, cudaGraphNode_t d) {
  cudaGraphNode_t n;
  cudaGraphAddEmptyNode(&n, x, &d, 1);
  return n;
}
static void info(cudaGraphExec_t ex, cudaGraph_t gr) {
  cudaGraphExecUpdateResultInfo r;
  memset(&r, 0xff, sizeof r);
  cudaError_t e = cudaGraphExecUpdate(ex, gr, &r);
  printf("  update: %s result %d node %d from %d\n",
         e ? cudaGetErrorName(e) : "ok", r.result, r.errorNode != 0,
         r.errorFromNode != 0);
  cudaGetLastError();
}
static cudaStream_t a;
static cudaEvent_t e1;
static cudaGraph_t x, y;
static cudaGraphNode_t n1, n2, n3, n;
static cudaGraphExec_t ex, ey;
static int k = 3;
static void *args[] = {&D, &k};
static cudaKernelNodeParams kp;

static void createCases() {
  title("create");
  SAY(cudaGraphCreate(&x, 1));
  SAY(cudaGraphCreate(nullptr, 0));
  SAY(cudaGraphCreate(&x, 0));
  SAY(cudaGraphDestroy(0));
  SAY(cudaGraphAddEmptyNode(nullptr, x, 0, 0));
  SAY(cudaGraphAddEmptyNode(&n, 0, 0, 0));
  SAY(cudaGraphAddEmptyNode(&n, x, nullptr, 1));
}

static void edgesCases() {
  title("edges");
  n1 = empty(x);
  n2 = empty(x);
  n3 = empty(x);
  {
    cudaGraphNode_t dd[2] = {n1, n1};
    SAY(cudaGraphAddEmptyNode(&n, x, dd, 2));
  }
  SAY(cudaGraphAddDependencies(x, &n1, &n2, 0, 1));
  SAY(cudaGraphAddDependencies(x, &n1, &n2, 0, 1));
  SAY(cudaGraphAddDependencies(x, &n2, &n3, 0, 1));
  SAY(cudaGraphAddDependencies(x, &n1, &n1, 0, 1));
  SAY(cudaGraphAddDependencies(x, &n3, &n1, 0, 1));
  {
    cudaGraphExec_t q = 0;
    SAY(cudaGraphInstantiate(&q, x, 0));
    cudaGraphInstantiateParams ip = {};
    SAY(cudaGraphInstantiateWithParams(&q, x, &ip));
    printf("  result %d node %d\n", ip.result_out, ip.errNode_out != 0);
  }
  SAY(cudaGraphRemoveDependencies(x, &n3, &n1, 0, 1));
  SAY(cudaGraphRemoveDependencies(x, &n3, &n1, 0, 1));
  SAY(cudaGraphRemoveDependencies(x, &n1, &n3, 0, 1));
  y = g();
  n = empty(y);
  SAY(cudaGraphAddDependencies(x, &n1, &n, 0, 1));
  SAY(cudaGraphAddEmptyNode(&n2, y, &n1, 1));
  SAY(cudaGraphAddDependencies(x, &n1, nullptr, 0, 1));
  SAY(cudaGraphAddDependencies(x, nullptr, nullptr, 0, 0));
  {
    cudaGraphNode_t f[3] = {n1, n1, n3}, t[3] = {n3, n1, n3};
    size_t m;
    SAY(cudaGraphAddDependencies(x, f, t, 0, 2));
    SAY(cudaGraphGetEdges(x, 0, 0, 0, &m));
    printf("  edges %zu\n", m);
  }
}

static void listsCases() {
  title("lists");
  {
    cudaGraphNode_t v[8];
    memset(v, 0xff, sizeof v);
    size_t m = 8;
    SAY(cudaGraphGetNodes(x, v, &m));
    printf("  %zu %d %d\n", m, v[3] == 0, v[7] == 0);
    m = 1;
    SAY(cudaGraphGetNodes(x, v, &m));
    printf("  %zu\n", m);
    m = 8;
    SAY(cudaGraphGetRootNodes(x, v, &m));
    printf("  %zu\n", m);
    SAY(cudaGraphGetNodes(x, v, nullptr));
    m = 8;
    SAY(cudaGraphNodeGetDependencies(n3, v, 0, &m));
    printf("  %zu\n", m);
    m = 8;
    SAY(cudaGraphNodeGetDependentNodes(n1, v, 0, &m));
    printf("  %zu\n", m);
    cudaGraphNode_t w[8];
    m = 8;
    SAY(cudaGraphGetEdges(x, v, w, 0, &m));
    printf("  %zu\n", m);
    m = 8;
    SAY(cudaGraphGetEdges(x, v, 0, 0, &m));
    cudaGraphNodeType t;
    SAY(cudaGraphNodeGetType(n1, nullptr));
    SAY(cudaGraphNodeGetType(0, &t));
  }
}

static void kernelNodes() {
  title("kernel nodes");
  x = g();
  SAY(cudaGraphAddKernelNode(&n1, x, 0, 0, &kp));
  SAY(cudaGraphAddKernelNode(&n, x, 0, 0, nullptr));
  {
    auto q = kp;
    q.func = 0;
    SAY(cudaGraphAddKernelNode(&n, x, 0, 0, &q));
    q = kp;
    q.blockDim = dim3(4096);
    SAY(cudaGraphAddKernelNode(&n, x, 0, 0, &q));
    q = kp;
    q.gridDim = dim3(0);
    SAY(cudaGraphAddKernelNode(&n, x, 0, 0, &q));
    q = kp;
    q.kernelParams = 0;
    SAY(cudaGraphAddKernelNode(&n, x, 0, 0, &q));
    q = kp;
    q.sharedMemBytes = 1 << 20;
    SAY(cudaGraphAddKernelNode(&n, x, 0, 0, &q));
  }
  {
    cudaKernelNodeParams q;
    SAY(cudaGraphKernelNodeGetParams(n1, &q));
    printf("  %d %d %u %d\n", q.func == (void *)add, *(int *)q.kernelParams[1],
           q.blockDim.x, q.extra == 0);
    cudaMemsetParams ms;
    SAY(cudaGraphMemsetNodeGetParams(n1, &ms));
    SAY(cudaGraphKernelNodeSetParams(n1, nullptr));
    SAY(cudaGraphKernelNodeSetParams(n1, &kp));
  }
}

static void memsetNodes() {
  title("memset nodes");
  {
    cudaMemsetParams m = {D, 0, 7, 4, 8, 1};
    SAY(cudaGraphAddMemsetNode(&n2, x, &n1, 1, &m));
    auto q = m;
    q.elementSize = 3;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.width = 0;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.height = 0;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.dst = 0;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.width = 1 << 20;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.elementSize = 1;
    q.value = 0x1ff;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.height = 4;
    q.pitch = 4;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    q = m;
    q.dst = (char *)D + 1;
    SAY(cudaGraphAddMemsetNode(&n, x, 0, 0, &q));
    SAY(cudaGraphMemsetNodeGetParams(n2, &q));
    printf("  %zu %u %u %zu %zu\n", q.pitch, q.value, q.elementSize, q.width,
           q.height);
  }
}

static void memcpyNodes() {
  title("memcpy nodes");
  x = g();
  SAY(cudaGraphAddMemcpyNode1D(&n2, x, 0, 0, D, H, 64, cudaMemcpyHostToDevice));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, D, H, 0, cudaMemcpyHostToDevice));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, nullptr, H, 4,
                               cudaMemcpyHostToDevice));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, D, H, 4, (cudaMemcpyKind)9));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, D, D2, 1 << 20,
                               cudaMemcpyDeviceToDevice));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, D, Pageable, 64,
                               cudaMemcpyHostToDevice));
  SAY(cudaGraphAddMemcpyNode1D(&n, x, 0, 0, D, Pageable, 64,
                               cudaMemcpyDefault));
  {
    cudaMemcpy3DParms q;
    SAY(cudaGraphMemcpyNodeGetParams(n2, &q));
    printf("  kind %d extent %zu %zu %zu src %zu %zu %zu dst %zu %zu %zu\n",
           q.kind, q.extent.width, q.extent.height, q.extent.depth,
           q.srcPtr.pitch, q.srcPtr.xsize, q.srcPtr.ysize, q.dstPtr.pitch,
           q.dstPtr.xsize, q.dstPtr.ysize);
    q.extent.height = 2;
    q.srcPtr.pitch = q.dstPtr.pitch = 64;
    SAY(cudaGraphMemcpyNodeSetParams(n2, &q));
  }
}

static void hostEventNodes() {
  title("host, event nodes");
  {
    cudaHostNodeParams h = {[](void *) {}, 0}, h0 = {};
    SAY(cudaGraphAddHostNode(&n, x, 0, 0, &h));
    SAY(cudaGraphAddHostNode(&n, x, 0, 0, &h0));
    SAY(cudaGraphAddEventRecordNode(&n, x, 0, 0, e1));
    SAY(cudaGraphAddEventRecordNode(&n, x, 0, 0, 0));
    SAY(cudaGraphAddEventWaitNode(&n, x, 0, 0, e1));
    cudaEvent_t q;
    SAY(cudaGraphEventRecordNodeGetEvent(n, &q));
    SAY(cudaGraphEventWaitNodeGetEvent(n, &q));
  }
}

static void childCases() {
  title("child");
  y = g();
  n = empty(y);
  SAY(cudaGraphAddChildGraphNode(&n1, x, 0, 0, y));
  SAY(cudaGraphAddChildGraphNode(&n2, x, 0, 0, 0));
  {
    cudaGraph_t q = 0;
    SAY(cudaGraphChildGraphNodeGetGraph(n1, &q));
    printf("  same %d\n", q == y);
  }
}

static void cloneCases() {
  title("clone");
  {
    cudaGraph_t z = 0;
    SAY(cudaGraphClone(&z, y));
    cudaGraphNode_t m = 0;
    SAY(cudaGraphNodeFindInClone(&m, n, z));
    printf("  %d\n", m != 0 && m != n);
    SAY(cudaGraphNodeFindInClone(&m, n, y));
    SAY(cudaGraphClone(&z, 0));
  }
}

static void destroyNode() {
  title("destroy node");
  {
    x = g();
    n1 = empty(x);
    n2 = after(x, n1);
    n3 = after(x, n2);
    SAY(cudaGraphDestroyNode(n2));
    size_t m;
    cudaGraphGetNodes(x, 0, &m);
    printf("  %zu", m);
    cudaGraphGetEdges(x, 0, 0, 0, &m);
    printf(" %zu\n", m);
  }
}

static void instantiate() {
  title("instantiate");
  x = g();
  SAY(cudaGraphInstantiate(&ex, x, 0));
  SAY(cudaGraphLaunch(ex, a));
  SAY(cudaGraphLaunch(ex, 0));
  SAY(cudaGraphLaunch(0, a));
  SAY(cudaGraphExecDestroy(0));
  SAY(cudaGraphInstantiate(nullptr, x, 0));
  SAY(cudaGraphInstantiate(&ey, 0, 0));
  SAY(cudaGraphInstantiate(&ey, x, 64));
  SAY(cudaGraphInstantiate(&ey, x, cudaGraphInstantiateFlagUseNodePriority));
  SAY(cudaGraphInstantiate(&ey, x, cudaGraphInstantiateFlagUpload));
  SAY(cudaGraphInstantiate(&ey, x, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  {
    cudaGraphInstantiateParams ip = {};
    ip.flags = cudaGraphInstantiateFlagUpload;
    ip.uploadStream = a;
    SAY(cudaGraphInstantiateWithParams(&ey, x, &ip));
    printf("  %d\n", ip.result_out);
    unsigned long long f = 9;
    SAY(cudaGraphExecGetFlags(ey, &f));
    printf("  %llu\n", f);
  }
  SAY(cudaGraphUpload(ex, a));
}

static void updateCases() {
  title("update");
  x = g();
  cudaGraphAddKernelNode(&n1, x, 0, 0, &kp);
  cudaGraphAddKernelNode(&n2, x, &n1, 1, &kp);
  cudaGraphInstantiate(&ex, x, 0);
  {
    auto q = kp;
    q.func = (void *)mul;
    q.gridDim = dim3(2);
    y = g();
    cudaGraphAddKernelNode(&n1, y, 0, 0, &q);
    cudaGraphAddKernelNode(&n2, y, &n1, 1, &kp);
    info(ex, y);
    y = g();
    cudaGraphAddKernelNode(&n1, y, 0, 0, &kp);
    info(ex, y);
    cudaGraphAddKernelNode(&n2, y, 0, 0, &kp);
    info(ex, y);
    y = g();
    cudaGraphAddKernelNode(&n1, y, 0, 0, &kp);
    after(y, n1);
    info(ex, y);
    y = g();
    n1 = empty(y);
    cudaGraphAddKernelNode(&n2, y, &n1, 1, &kp);
    info(ex, y);
    y = g();
    cudaGraphAddKernelNode(&n1, y, 0, 0, &kp);
    cudaGraphAddKernelNode(&n2, y, 0, 0, &kp);
    cudaGraphAddDependencies(y, &n2, &n1, 0, 1);
    info(ex, y);
    SAY(cudaGraphExecUpdate(ex, 0, nullptr));
    SAY(cudaGraphExecUpdate(ex, x, nullptr));
  }
}

static void execParams() {
  title("exec params");
  x = g();
  cudaGraphAddKernelNode(&n1, x, 0, 0, &kp);
  cudaMemsetParams m = {D, 0, 7, 4, 8, 1}, m2 = {D, 64, 7, 4, 8, 4};
  cudaGraphAddMemsetNode(&n2, x, 0, 0, &m);
  cudaGraphAddMemsetNode(&n3, x, 0, 0, &m2);
  cudaGraphNode_t c1, c2, hn, ev, ch, al;
  cudaGraphAddMemcpyNode1D(&c1, x, 0, 0, D, H, 64, cudaMemcpyHostToDevice);
  cudaHostNodeParams hp = {[](void *) {}, 0};
  cudaGraphAddHostNode(&hn, x, 0, 0, &hp);
  cudaGraphAddEventRecordNode(&ev, x, 0, 0, e1);
  y = g();
  empty(y);
  cudaGraphAddChildGraphNode(&ch, x, 0, 0, y);
  al = empty(x);
  SAY(cudaGraphInstantiate(&ex, x, 0));
  (void)c2;
  {
    SAY(cudaGraphExecKernelNodeSetParams(ex, n1, &kp));
    SAY(cudaGraphExecKernelNodeSetParams(ex, n2, &kp));
    auto q = m;
    q.width = 16;
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n2, &q));
    q.dst = D2;
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n2, &q));
    q.elementSize = 2;
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n2, &q));
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n2, &m2));
    auto q2 = m2;
    q2.value = 9;
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n3, &q2));
    q2.width = 4;
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n3, &q2));
    SAY(cudaGraphExecMemsetNodeSetParams(ex, n3, &m));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(ex, c1, D2, H, 32,
                                           cudaMemcpyHostToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(ex, c1, H, D2, 32,
                                           cudaMemcpyDeviceToHost));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(ex, c1, D, D2, 32,
                                           cudaMemcpyDeviceToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(ex, c1, D2, H, 0,
                                           cudaMemcpyHostToDevice));
    SAY(cudaGraphExecMemcpyNodeSetParams1D(ex, c1, D2, Pageable, 16,
                                           cudaMemcpyHostToDevice));
    SAY(cudaGraphExecHostNodeSetParams(ex, hn, &hp));
    SAY(cudaGraphExecEventRecordNodeSetEvent(ex, ev, e1));
    SAY(cudaGraphExecEventRecordNodeSetEvent(ex, hn, e1));
    SAY(cudaGraphExecChildGraphNodeSetParams(ex, ch, y));
    cudaGraph_t z = g();
    SAY(cudaGraphExecChildGraphNodeSetParams(ex, ch, z));
    SAY(cudaGraphNodeSetEnabled(ex, n1, 0));
    SAY(cudaGraphNodeSetEnabled(ex, n2, 0));
    SAY(cudaGraphNodeSetEnabled(ex, c1, 0));
    SAY(cudaGraphNodeSetEnabled(ex, hn, 0));
    SAY(cudaGraphNodeSetEnabled(ex, ch, 0));
    SAY(cudaGraphNodeSetEnabled(ex, al, 0));
    SAY(cudaGraphNodeSetEnabled(ex, ev, 0));
    unsigned on = 9;
    SAY(cudaGraphNodeGetEnabled(ex, n1, &on));
    printf("  %u\n", on);
    SAY(cudaGraphNodeGetEnabled(ex, hn, &on));
    cudaGraphExec_t e9;
    cudaGraphInstantiate(&e9, y, 0);
    SAY(cudaGraphExecKernelNodeSetParams(e9, n1, &kp));
  }
}

static void genericCases() {
  title("generic");
  {
    cudaGraphNodeParams p = {};
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)add;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(2);
    p.kernel.kernelParams = args;
    x = g();
    SAY(cudaGraphAddNode(&n1, x, 0, 0, 0, &p));
    p.reserved0[0] = 1;
    SAY(cudaGraphAddNode(&n, x, 0, 0, 0, &p));
    p.reserved0[0] = 0;
    SAY(cudaGraphNodeSetParams(n1, &p));
    p.type = cudaGraphNodeTypeHost;
    SAY(cudaGraphNodeSetParams(n1, &p));
    p.type = (cudaGraphNodeType)40;
    SAY(cudaGraphAddNode(&n, x, 0, 0, 0, &p));
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeEmpty;
    SAY(cudaGraphAddNode(&n, x, &n1, 0, 1, &p));
  }
}

static void invalidHandles() {
  title("invalid handles");
  {
    cudaGraph_t z = g();
    cudaGraphNode_t q = empty(z);
    SAY(cudaGraphDestroy(z));
    (void)q;
  }
}

static void destroyedWhileRunning() {
  title("destroyed while running");
  {
    x = g();
    cudaGraphAddKernelNode(&n1, x, 0, 0, &kp);
    cudaGraphInstantiate(&ex, x, 0);
    SAY(cudaGraphDestroy(x));
    SAY(cudaGraphLaunch(ex, a));
    SAY(cudaGraphExecDestroy(ex));
    SAY(cudaStreamSynchronize(a));
  }
}

static void eventInGraph() {
  title("event in graph");
  {
    x = g();
    cudaEvent_t q;
    NEED(cudaEventCreateWithFlags(&q, cudaEventDisableTiming));
    cudaGraphAddKernelNode(&n1, x, 0, 0, &kp);
    cudaGraphAddEventRecordNode(&n2, x, &n1, 1, q);
    cudaGraphInstantiate(&ex, x, 0);
    SAY(cudaEventQuery(q));
    SAY(cudaGraphLaunch(ex, a));
    SAY(cudaEventSynchronize(q));
    SAY(cudaEventQuery(q));
  }
}

static void moreCaptures() {
  title("more captures");
  {
    cudaStream_t b, nb;
    NEED(cudaStreamCreate(&b));
    NEED(cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking));
    cudaGraph_t q;
    cudaEvent_t r;
    NEED(cudaEventCreate(&r));
    x = g();
    n1 = empty(x);
    SAY(cudaStreamBeginCaptureToGraph(b, x, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
    SAY(cudaGraphDestroyNode(n1));
    size_t m = 0;
    cudaGraphGetNodes(x, 0, &m);
    printf("  %zu\n", m);
    SAY(cudaStreamEndCapture(b, &q));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaEventRecord(r, nb));
    SAY(cudaStreamWaitEvent(0, r, 0));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaEventRecord(r, b));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamWaitEvent(nb, r, cudaEventWaitExternal));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamWaitEvent(nb, r, cudaEventWaitExternal));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaLaunchHostFunc(nb, 0, 0));
    SAY(cudaStreamEndCapture(nb, &q));

    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaMemcpyAsync(D, H, 1 << 20, cudaMemcpyHostToDevice, nb));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    SAY(cudaGraphInstantiate(&ex, x = g(), 0));
    SAY(cudaGraphLaunch(ex, nb));
    SAY(cudaStreamEndCapture(nb, &q));
    m = 9;
    if (q)
      cudaGraphGetNodes(q, 0, &m);
    printf("  %zu\n", m);
    SAY(cudaGraphInstantiate(&ex, x, 0));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaGraphLaunch(ex, nb));
    SAY(cudaStreamEndCapture(nb, &q));
    m = 9;
    if (q) {
      cudaGraphGetNodes(q, 0, &m);
      cudaGraphGetNodes(q, &n, &m);
      cudaGraphNodeType t;
      cudaGraphNodeGetType(n, &t);
      printf("  %zu %d\n", m, t);
    }
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaGraphExecDestroy(ex));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaGraphCreate(&x, 0));
    n1 = empty(x);
    SAY(cudaGraphDestroy(x));
    SAY(cudaMemAdvise(H, 4, cudaMemAdviseSetReadMostly,
                      {cudaMemLocationTypeDevice, 0}));
    SAY(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    SAY(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             1024));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    cudaArray_t ar;
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
    SAY(cudaMallocArray(&ar, &cd, 16, 16));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamBeginCapture(nb, cudaStreamCaptureModeGlobal));
    SAY(cudaMemcpy(Pageable, D, 64, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(D, Pageable, 64, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(D2, D, 64, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpyPeer(D, 0, D2, 0, 64));
    SAY(cudaStreamEndCapture(nb, &q));
    SAY(cudaStreamBeginCapture(cudaStreamPerThread,
                               cudaStreamCaptureModeGlobal));
    SAY(cudaMemsetAsync(D, 0, 4, cudaStreamPerThread));
    SAY(cudaMemset(D, 0, 4));
    SAY(cudaStreamEndCapture(cudaStreamPerThread, &q));
  }
}

int main() {
  NEED(cudaMalloc(&D, 4096));
  NEED(cudaMalloc(&D2, 4096));
  NEED(cudaMallocHost(&H, 4096));
  cudaMemset(D, 0, 4096);
  add<<<1, 1>>>(D, 0);
  cudaDeviceSynchronize();
  NEED(cudaStreamCreate(&a));
  NEED(cudaEventCreate(&e1));
  kp = {(void *)add, dim3(1), dim3(4), 0, args, 0};
  createCases();
  edgesCases();
  listsCases();
  kernelNodes();
  memsetNodes();
  memcpyNodes();
  hostEventNodes();
  childCases();
  cloneCases();
  destroyNode();
  instantiate();
  updateCases();
  execParams();
  genericCases();
  invalidHandles();
  destroyedWhileRunning();
  eventInGraph();
  moreCaptures();
}
