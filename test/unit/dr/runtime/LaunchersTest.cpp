//===- LaunchersTest.cpp - What the threads that launch do ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that waits for another one waits; its twin, which goes on by itself
// one day, does not.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Launchers.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>

using namespace echo::dr;
using namespace std::chrono_literals;

namespace {
struct Meeting {
  std::mutex Lock;
  std::condition_variable Changed;
  std::atomic<bool> Ends = false;
  int Pipe[2]; ///< has a byte at the end

  Meeting() { REQUIRE(pipe(Pipe) == 0); }
  ~Meeting() {
    close(Pipe[0]);
    close(Pipe[1]);
  }
  void end() {
    {
      std::lock_guard<std::mutex> Hold(Lock);
      Ends = true;
    }
    Changed.notify_all();
    CHECK(write(Pipe[1], "", 1) == 1);
  }
};
} // namespace

/// What the kernel says that \p Thread of this process does: R runs, S sleeps
/// (proc(5)); 0: it is gone.
static char stateOf(int Thread) {
  std::ifstream Stat("/proc/self/task/" + std::to_string(Thread) + "/stat");
  std::string Number, Name;
  char State = 0;
  Stat >> Number >> Name >> State;
  return State;
}

/// The answer while a thread that launched is in \p Waits, asked when it is in
/// \p State: Wait if one of a hundred answers is that, since the kernel calls a
/// thread asleep shortly before it says in which call it is. \p Waits returns
/// after the answers only, or in state 0.
static Launching whileIn(char State,
                         const std::function<void(Meeting &)> &Waits) {
  forgetLaunchers();
  Meeting M;
  std::atomic<int> Thread = 0;
  std::thread Launcher([&] {
    noteLauncher();
    Thread = gettid();
    Waits(M);
  });
  while (!Thread || stateOf(Thread) != State)
    std::this_thread::yield();
  Launching Answer = whatLaunchersDo();
  for (int I = 1; I != 100 && Answer != Launching::Wait; ++I) {
    std::this_thread::sleep_for(1ms);
    Answer = whatLaunchersDo();
  }
  M.end();
  Launcher.join();
  return Answer;
}

TEST_CASE("threads that launch and wait") {
  CHECK(whileIn('S', [](Meeting &M) {
          std::unique_lock<std::mutex> Hold(M.Lock);
          M.Changed.wait(Hold, [&] { return M.Ends.load(); });
        }) == Launching::Wait);
  CHECK(whileIn('S', [](Meeting &M) {
          std::unique_lock<std::mutex> Hold(M.Lock);
          while (!M.Ends)
            M.Changed.wait_for(Hold, 10s, [&] { return M.Ends.load(); });
        }) == Launching::GoOn);
  CHECK(whileIn('S', [](Meeting &M) {
          while (!M.Ends)
            usleep(10000);
        }) == Launching::GoOn);
  CHECK(whileIn('S', [](Meeting &M) {
          char Byte;
          (void)!read(M.Pipe[0], &Byte, 1);
        }) == Launching::Wait);
  CHECK(whileIn('S', [](Meeting &M) {
          pollfd One = {M.Pipe[0], POLLIN, 0};
          while (poll(&One, 1, 10) == 0) {
          }
        }) == Launching::GoOn);
  CHECK(whileIn('R', [](Meeting &M) {
          while (!M.Ends) {
          }
        }) == Launching::GoOn);
  CHECK(whileIn(0, [](Meeting &) {}) == Launching::Wait);
  forgetLaunchers();
  noteLauncher();
  CHECK(whatLaunchersDo() == Launching::Wait); // but for who asks
  forgetLaunchers();
}
