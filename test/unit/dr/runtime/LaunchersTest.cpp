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
#include <functional>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace echo::dr;
using namespace std::chrono_literals;

namespace {
struct Meeting {
  std::mutex Lock;
  std::condition_variable Changed;
  std::atomic<bool> Launched = false, Ends = false;

  void end() {
    {
      std::lock_guard<std::mutex> Hold(Lock);
      Ends = true;
    }
    Changed.notify_all();
  }
};
} // namespace

/// The answer while a thread that launched is in \p waits.
static Launching whileIn(const std::function<void(Meeting &)> &Waits) {
  forgetLaunchers();
  Meeting M;
  std::thread Launcher([&] {
    noteLauncher();
    M.Launched = true;
    Waits(M);
  });
  while (!M.Launched)
    std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  const Launching Answer = whatLaunchersDo();
  M.end();
  Launcher.join();
  return Answer;
}

TEST_CASE("threads that launch and wait") {
  CHECK(whileIn([](Meeting &M) {
          std::unique_lock<std::mutex> Hold(M.Lock);
          M.Changed.wait(Hold, [&] { return M.Ends.load(); });
        }) == Launching::Wait);
  CHECK(whileIn([](Meeting &M) {
          std::unique_lock<std::mutex> Hold(M.Lock);
          M.Changed.wait_for(Hold, 10s, [&] { return M.Ends.load(); });
        }) == Launching::GoOn);
  CHECK(whileIn([](Meeting &) { usleep(60000); }) == Launching::GoOn);
  int Ends[2];
  REQUIRE(pipe(Ends) == 0);
  std::thread Later([&] {
    usleep(200000);
    CHECK(write(Ends[1], "", 1) == 1);
  });
  CHECK(whileIn([&](Meeting &) {
          char Byte;
          CHECK(read(Ends[0], &Byte, 1) == 1);
        }) == Launching::Wait);
  Later.join();
  CHECK(whileIn([&](Meeting &) {
          pollfd One = {Ends[0], POLLIN, 0};
          CHECK(poll(&One, 1, 60) == 0);
        }) == Launching::GoOn);
  close(Ends[0]);
  close(Ends[1]);
  CHECK(whileIn([](Meeting &M) {
          while (!M.Ends) {
          }
        }) == Launching::GoOn);
  CHECK(whileIn([](Meeting &) {}) == Launching::Wait); // it is gone
  forgetLaunchers();
  noteLauncher();
  CHECK(whatLaunchersDo() == Launching::Wait); // but for who asks
  forgetLaunchers();
}
