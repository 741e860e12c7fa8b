//===- plain.cpp - The measured loops in plain C++ ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same loops over the same number of threads, as one writes them without
// CUDA: each thread takes one contiguous part. Usage: plain THREADS
//
//===----------------------------------------------------------------------===//
#include "kernels.h"

#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>

namespace {
/// Threads that wait for a loop, run their part of it and report back.
class Team {
public:
  explicit Team(int Size) : Size(Size) {
    for (int I = 0; I < Size; ++I)
      Threads.emplace_back([this, I] { serve(I); });
  }
  ~Team() {
    run(0, nullptr);
    for (std::thread &T : Threads)
      T.join();
  }
  /// Runs Part(begin, end) over [0, N) on all threads; a null Part ends them.
  void run(int N, std::function<void(int, int)> Part) {
    std::unique_lock<std::mutex> L(Lock);
    Count = N;
    Body = std::move(Part);
    Left = Size;
    ++Round;
    Start.notify_all();
    Done.wait(L, [this] { return Left == 0; });
  }

private:
  void serve(int Id) {
    for (int Seen = 0;;) {
      std::unique_lock<std::mutex> L(Lock);
      Start.wait(L, [&] { return Round != Seen; });
      Seen = Round;
      auto Mine = Body;
      int N = Count;
      L.unlock();
      if (Mine)
        Mine(static_cast<int>(static_cast<long>(N) * Id / Size),
             static_cast<int>(static_cast<long>(N) * (Id + 1) / Size));
      L.lock();
      if (--Left == 0)
        Done.notify_one();
      if (!Mine)
        return;
    }
  }

  const int Size;
  std::mutex Lock;
  std::condition_variable Start, Done;
  std::function<void(int, int)> Body;
  int Count = 0, Left = 0, Round = 0;
  std::vector<std::thread> Threads;
};
} // namespace

int main(int Argc, char **Argv) {
  int Threads = Argc == 2 ? std::atoi(Argv[1]) : 0;
  if (Threads < 1) {
    std::fprintf(stderr, "usage: %s THREADS\n", Argv[0]);
    return 2;
  }
  Team T(Threads);

  std::vector<float> X(SaxpyN), Y(SaxpyN);
  for (int I = 0; I < SaxpyN; ++I)
    X[I] = Y[I] = startValue(I);
  measure(
      "saxpy",
      [&] {
        T.run(SaxpyN, [&](int Begin, int End) {
          const float *PX = X.data();
          float *PY = Y.data();
          for (int I = Begin; I < End; ++I)
            saxpyAt(I, 0.5f, PX, PY);
        });
      },
      Y.data(), SaxpyN);

  constexpr int Cells = StencilN * StencilN;
  std::vector<float> In(Cells), Out(Cells);
  for (int I = 0; I < Cells; ++I)
    In[I] = Out[I] = startValue(I);
  measure(
      "stencil",
      [&] {
        T.run(StencilN - 2, [&](int Begin, int End) {
          const float *PIn = In.data();
          float *POut = Out.data();
          for (int Row = Begin + 1; Row < End + 1; ++Row)
            for (int Col = 1; Col < StencilN - 1; ++Col)
              stencilAt(Col, Row, StencilN, PIn, POut);
        });
      },
      Out.data(), Cells);

  std::vector<Body> Bodies(BodiesN);
  std::vector<Force> Forces(BodiesN);
  for (int I = 0; I < BodiesN; ++I)
    Bodies[I] = startBody(I);
  measure(
      "nbody",
      [&] {
        T.run(BodiesN, [&](int Begin, int End) {
          const Body *PB = Bodies.data();
          Force *PF = Forces.data();
          for (int I = Begin; I < End; ++I)
            forceAt(I, BodiesN, PB, PF);
        });
      },
      &Forces[0].X, BodiesN * 3);
}
