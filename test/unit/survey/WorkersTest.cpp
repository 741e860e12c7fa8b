//===- WorkersTest.cpp - Work in processes of its own ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results come back whole; a crash, an exception and an endless loop end their
// own process only.
//
//===----------------------------------------------------------------------===//
#include "parse/Workers.h"
#include <catch2/catch.hpp>
#include <csignal>
#include <map>
#include <stdexcept>
#include <unistd.h>

using namespace echo::survey;

TEST_CASE("each piece of work has its outcome") {
  WorkLimits Limits;
  Limits.Jobs = 3;
  Limits.Time = std::chrono::seconds(2);
  std::map<size_t, Outcome> All;
  runWork(
      5, Limits,
      [](size_t N) -> std::string {
        if (N == 1)
          raise(SIGKILL);
        if (N == 2)
          throw std::runtime_error("no");
        if (N == 3)
          for (;;)
            pause();
        return std::string(1 << 20, char('a' + N));
      },
      [&](size_t N, Outcome O) { All[N] = std::move(O); });
  REQUIRE(All.size() == 5);
  CHECK(All[0].Text == std::string(1 << 20, 'a'));
  CHECK(All[4].Text == std::string(1 << 20, 'e'));
  CHECK(All[0].Failed.empty());
  CHECK(All[1].Failed.find("Killed") != std::string::npos);
  CHECK_FALSE(All[2].Failed.empty());
  CHECK(All[3].Failed == "took longer than 2 s");
}
