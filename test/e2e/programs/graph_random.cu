// Random graphs: nodes that add, mix, copy, set and call the host, with the edges
// that their accesses need and no others, made node by node or captured in streams
// that fork and join, some of them inside of a child. Each is launched several
// times, changed in between, and compared with the same work done in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include <algorithm>
#include <random>
#include "e2e.h"

constexpr int Cells = 8, Size = 64;
using Cell = std::vector<int>;

__global__ void mix(int *to, const int *from, int factor) {
  int i = threadIdx.x;
  to[i] = int(unsigned(to[i]) * 3u + unsigned(from[i]) * unsigned(factor));
}
__global__ void grow(int *cell, int by) {
  for (int turn = 0; turn < 50; ++turn)
    cell[threadIdx.x] = int(unsigned(cell[threadIdx.x]) * 5u + unsigned(by));
}

/// One step: Kind on cell To, from cell From.
struct Task {
  enum { Mix, Grow, Copy, Set, Upload, Host, Kinds } Kind;
  int To, From, Value;
  bool touches(int c) const { return c == To || (reads() && c == From); }
  bool reads() const { return Kind == Mix || Kind == Copy; }
  bool conflicts(const Task &Other) const {
    return Other.touches(To) || (Other.To == From && reads());
  }
};

static int *device, *pinned; // all cells; what is uploaded, by value
struct HostCall {
  int *Cell, Value;
};
static std::vector<HostCall *> hostCalls;

static void onHost(void *data) {
  auto *call = static_cast<HostCall *>(data);
  for (int i = 0; i < Size; ++i)
    call->Cell[i] = int(unsigned(call->Cell[i]) * 7u + unsigned(call->Value));
}

/// The same on the host, in order.
static void apply(const Task &t, std::vector<Cell> &cells, int *side) {
  Cell &to = cells[t.To];
  const Cell from = cells[t.From];
  HostCall call = {side + t.To * Size, t.Value};
  for (int i = 0; i < Size && t.Kind != Task::Host; ++i)
    switch (t.Kind) {
    case Task::Mix:
      to[i] = int(unsigned(to[i]) * 3u + unsigned(from[i]) * unsigned(t.Value));
      break;
    case Task::Grow:
      for (int turn = 0; turn < 50; ++turn)
        to[i] = int(unsigned(to[i]) * 5u + unsigned(t.Value));
      break;
    case Task::Copy:
      to[i] = from[i];
      break;
    case Task::Set:
      to[i] = t.Value;
      break;
    default:
      to[i] = pinned[t.Value * Size + i];
    }
  if (t.Kind == Task::Host)
    onHost(&call);
}

static int *sideCells; // what host nodes change

static void capture(const Task &t, cudaStream_t s) {
  int *to = device + t.To * Size, *from = device + t.From * Size;
  switch (t.Kind) {
  case Task::Mix:
    mix<<<1, Size, 0, s>>>(to, from, t.Value);
    break;
  case Task::Grow:
    grow<<<1, Size, 0, s>>>(to, t.Value);
    break;
  case Task::Copy:
    CHECK(cudaMemcpyAsync(to, from, Size * 4, cudaMemcpyDeviceToDevice, s));
    break;
  case Task::Set:
    CHECK(cudaMemsetAsync(to, t.Value, Size * 4, s));
    break;
  case Task::Upload:
    CHECK(cudaMemcpyAsync(to, pinned + t.Value * Size, Size * 4,
                          cudaMemcpyHostToDevice, s));
    break;
  default:
    hostCalls.push_back(new HostCall{sideCells + t.To * Size, t.Value});
    CHECK(cudaLaunchHostFunc(s, onHost, hostCalls.back()));
  }
}

/// A node for \p t, made by hand.
static cudaGraphNode_t add(const Task &t, cudaGraph_t g,
                           const std::vector<cudaGraphNode_t> &needs) {
  int *to = device + t.To * Size, *from = device + t.From * Size;
  int value = t.Value;
  cudaGraphNode_t n;
  const cudaGraphNode_t *d = needs.data();
  size_t c = needs.size();
  if (t.Kind == Task::Mix || t.Kind == Task::Grow) {
    void *mixes[] = {&to, &from, &value}, *grows[] = {&to, &value};
    cudaKernelNodeParams p = {};
    p.func = t.Kind == Task::Mix ? (void *)mix : (void *)grow;
    p.gridDim = dim3(1);
    p.blockDim = dim3(Size);
    p.kernelParams = t.Kind == Task::Mix ? mixes : grows;
    CHECK(cudaGraphAddKernelNode(&n, g, d, c, &p));
  } else if (t.Kind == Task::Set) {
    int byte = t.Value & 255;
    cudaMemsetParams p = {};
    p.dst = to;
    p.value = unsigned(byte) * 0x01010101u;
    p.elementSize = 4;
    p.width = Size;
    p.height = 1;
    CHECK(cudaGraphAddMemsetNode(&n, g, d, c, &p));
  } else if (t.Kind == Task::Host) {
    hostCalls.push_back(new HostCall{sideCells + t.To * Size, t.Value});
    cudaHostNodeParams p = {onHost, hostCalls.back()};
    CHECK(cudaGraphAddHostNode(&n, g, d, c, &p));
  } else {
    bool up = t.Kind == Task::Upload;
    CHECK(cudaGraphAddMemcpyNode1D(
        &n, g, d, c, to, up ? pinned + t.Value * Size : from, Size * 4,
        up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice));
  }
  return n;
}

static std::vector<Task> makeTasks(std::mt19937 &random, int count) {
  std::vector<Task> tasks;
  for (int i = 0; i < count; ++i) {
    Task t;
    t.Kind = decltype(t.Kind)(random() % Task::Kinds);
    t.To = random() % Cells;
    t.From = (t.To + 1 + random() % (Cells - 1)) % Cells;
    t.Value = random() % 4;
    tasks.push_back(t);
  }
  return tasks;
}

/// Which earlier tasks each must follow.
static std::vector<std::vector<int>> needsOf(const std::vector<Task> &tasks) {
  std::vector<std::vector<int>> needs(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (tasks[i].conflicts(tasks[j]) || tasks[j].conflicts(tasks[i]))
        needs[i].push_back(int(j));
  return needs;
}

static cudaGraph_t byHand(const std::vector<Task> &tasks, bool child) {
  cudaGraph_t g, outer;
  CHECK(cudaGraphCreate(&g, 0));
  auto needs = needsOf(tasks);
  std::vector<cudaGraphNode_t> nodes;
  for (size_t i = 0; i < tasks.size(); ++i) {
    std::vector<cudaGraphNode_t> before;
    for (int j : needs[i])
      before.push_back(nodes[j]);
    nodes.push_back(add(tasks[i], g, before));
  }
  if (!child)
    return g;
  CHECK(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t first, inner, last;
  CHECK(cudaGraphAddEmptyNode(&first, outer, nullptr, 0));
  CHECK(cudaGraphAddChildGraphNode(&inner, outer, &first, 1, g));
  CHECK(cudaGraphAddEmptyNode(&last, outer, &inner, 1));
  CHECK(cudaGraphDestroy(g));
  return outer;
}

static cudaGraph_t captured(const std::vector<Task> &tasks) {
  constexpr int Streams = 4;
  cudaStream_t s[Streams];
  for (auto &each : s)
    CHECK(cudaStreamCreate(&each));
  std::vector<cudaEvent_t> done(tasks.size() + Streams);
  for (auto &each : done)
    CHECK(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  auto needs = needsOf(tasks);
  cudaGraph_t g;
  CHECK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(done[tasks.size()], s[0]));
  for (int i = 1; i < Streams; ++i)
    CHECK(cudaStreamWaitEvent(s[i], done[tasks.size()], 0));
  for (size_t i = 0; i < tasks.size(); ++i) {
    cudaStream_t mine = s[tasks[i].To % Streams];
    for (int j : needs[i])
      CHECK(cudaStreamWaitEvent(mine, done[j], 0));
    capture(tasks[i], mine);
    CHECK(cudaEventRecord(done[i], mine));
  }
  for (int i = 1; i < Streams; ++i) {
    CHECK(cudaEventRecord(done[tasks.size() + i], s[i]));
    CHECK(cudaStreamWaitEvent(s[0], done[tasks.size() + i], 0));
  }
  CHECK(cudaStreamEndCapture(s[0], &g));
  for (auto each : done)
    CHECK(cudaEventDestroy(each));
  for (auto each : s)
    CHECK(cudaStreamDestroy(each));
  return g;
}

static unsigned runOne(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Task> tasks = makeTasks(random, 6 + random() % 30);
  for (Task &t : tasks)
    if (t.Kind == Task::Set)
      t.Value = 0; // the same as bytes and as words
  std::vector<Cell> cells(Cells, Cell(Size, 1));
  Cell side(Cells * Size, 1), got(Cells * Size, 1);
  std::fill(sideCells, sideCells + Cells * Size, 1);
  CHECK(cudaMemcpy(device, got.data(), got.size() * 4, cudaMemcpyHostToDevice));
  cudaGraph_t g = seed % 3 == 0   ? captured(tasks)
                  : seed % 3 == 1 ? byHand(tasks, false)
                                  : byHand(tasks, true);
  cudaGraphExec_t exec;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaGraphInstantiate(&exec, g, 0));
  int launches = 1 + seed % 4;
  for (int i = 0; i < launches; ++i) {
    CHECK(cudaGraphLaunch(exec, i % 2 ? s : nullptr));
    for (const Task &t : tasks)
      apply(t, cells, side.data());
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(g));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(got.data(), device, got.size() * 4, cudaMemcpyDeviceToHost));
  unsigned hash = 0;
  bool same = std::equal(side.begin(), side.end(), sideCells);
  for (int i = 0; i < Cells * Size; ++i) {
    same &= got[i] == cells[i / Size][i % Size];
    hash = hash * 31 + unsigned(got[i]);
  }
  if (!same)
    printf("graph %u differs\n", seed);
  CHECK(cudaStreamDestroy(s));
  return hash;
}

int main() {
  CHECK(cudaMalloc(&device, Cells * Size * 4));
  CHECK(cudaMallocHost(&pinned, 4 * Size * 4));
  sideCells = new int[Cells * Size];
  for (int i = 0; i < 4 * Size; ++i)
    pinned[i] = i * 11 + 5;
  unsigned hash = 0;
  for (unsigned seed = 0; seed < 40; ++seed)
    hash = hash * 17 + runOne(seed);
  printf("40 graphs, %u\n", hash);
  for (HostCall *call : hostCalls)
    delete call;
  delete[] sideCells;
  cudaFreeHost(pinned);
  cudaFree(device);
}
