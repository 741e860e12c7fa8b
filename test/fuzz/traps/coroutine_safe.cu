// As coroutine, but the buffers are those of a function that the coroutine
// calls and that does not suspend.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -std=c++20
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

#include <coroutine>
#include <thread>

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};

__attribute__((noinline)) static void step() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scale<<<Blocks, Threads, 0, cudaStreamPerThread>>>(dx, dy, N, 2.0f);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  fill(hx, N, 2);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}

static Task work() {
  step();
  co_await std::suspend_always{};
  step();
}

int main() {
  Task task = work();
  std::thread other([&] { task.handle.resume(); });
  other.join();
  task.handle.destroy();
}
