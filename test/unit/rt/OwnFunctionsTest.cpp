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
  CHECK(ownFunction(nullptr, false, true) == nullptr);
  const EchoFunction None[] = {{nullptr, nullptr}};
  CHECK(ownFunction(None, false, true) == nullptr);
  const EchoFunction System[] = {{"link", addressOf(&link)},
                                 {"getenv", addressOf(&getenv)},
                                 {nullptr, nullptr}};
  CHECK(ownFunction(System, false, true) == nullptr);
}

TEST_CASE("functions of the program") {
  const EchoFunction Own[] = {{"link", addressOf(&link)},
                              {"truncate", addressOf(&own)},
                              {nullptr, nullptr}};
  REQUIRE(ownFunction(Own, false, true));
  CHECK(strcmp(ownFunction(Own, false, true), "truncate") == 0);
}

TEST_CASE("functions that pairs leave out") {
  const EchoFunction Wrapped[] = {{"getenv", addressOf(&getenv)},
                                  {"", nullptr},
                                  {"cudaMemcpy2D", addressOf(&own)},
                                  {nullptr, nullptr}};
  CHECK(ownFunction(Wrapped, false, true) == nullptr);
  REQUIRE(ownFunction(Wrapped, true, true));
  CHECK(strcmp(ownFunction(Wrapped, true, true), "cudaMemcpy2D") == 0);
  const EchoFunction Allocator[] = {{"getenv", addressOf(&getenv)},
                                    {"", nullptr},
                                    {"cudaMemcpy2D", addressOf(&own)},
                                    {"malloc", addressOf(&own)},
                                    {nullptr, nullptr}};
  REQUIRE(ownFunction(Allocator, false, true));
  CHECK(strcmp(ownFunction(Allocator, false, true), "malloc") == 0);
  const EchoFunction Operator[] = {{"", nullptr},
                                   {"_Znwm", addressOf(&own)},
                                   {"_ZdlPv", addressOf(&own)},
                                   {nullptr, nullptr}};
  CHECK(ownFunction(Operator, false, true));
  CHECK(ownFunction(Operator, true, false) == nullptr);
  const EchoFunction Relied[] = {{"_Znwm", addressOf(&own)},
                                 {nullptr, nullptr}};
  CHECK(ownFunction(Relied, false, false));
}

TEST_CASE("names of the system's libraries") {
  for (const char *Path :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libm-2.31.so",
        "/lib64/libdl.so.2", "/lib64/ld-linux-x86-64.so.2", "/lib/ld-2.31.so",
        "linux-vdso.so.1", "/opt/gcc/lib64/libstdc++.so.6", "libgcc_s.so.1",
        "/lib/libutil.so.1", "/lib/ld-musl-x86_64.so.1",
        "libtcmalloc_minimal.so.4", "libclang_rt.asan-x86_64.so",
        "/usr/lib64/librt.so.1", "/usr/lib/x86_64-linux-gnu/libz.so.1.2.13"})
    CHECK(echo::rt::isOfSystem(Path));
  for (const char *Path :
       {"", "/home/user/app", "libutil.so", "/opt/app/lib/libm.so.6",
        "./libz.so.1", "/usr/local/lib/librt.so", "libutils.so", "libdlib.so",
        "libpthreadpool.so", "librtaudio.so.6", "libresolver.so", "ld-tool",
        "libm-fast.so", "libcrypto.so.3", "libgcc_helper.so",
        "libstdc++fs-own.so"})
    CHECK_FALSE(echo::rt::isOfSystem(Path));
}
