//===- OwnFunctionsTest.cpp - Functions under a library's name ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library, of this program, and of no file.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/OwnFunctions.h"
#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <unistd.h>

using echo::rt::ownFunction;

static int own() { return 1; }

template <typename T> static void *addressOf(T *Function) {
  return reinterpret_cast<void *>(Function);
}

TEST_CASE("functions of the system's libraries") {
  CHECK(ownFunction(nullptr) == nullptr);
  const EchoFunction None[] = {{nullptr, nullptr}};
  CHECK(ownFunction(None) == nullptr);
  const EchoFunction System[] = {{"link", addressOf(&link)},
                                 {"getenv", addressOf(&getenv)},
                                 {nullptr, nullptr}};
  CHECK(ownFunction(System) == nullptr);
}

TEST_CASE("functions of the program") {
  const EchoFunction Own[] = {{"link", addressOf(&link)},
                              {"truncate", addressOf(&own)},
                              {nullptr, nullptr}};
  REQUIRE(ownFunction(Own));
  CHECK(strcmp(ownFunction(Own), "truncate") == 0);
}
