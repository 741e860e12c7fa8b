//===- CollectFactsTest.cpp - Facts from device IR ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each fact has a kernel that has it and a twin that has not.
//
//===----------------------------------------------------------------------===//
#include "DeviceFacts.h"

using namespace echo;

TEST_CASE("attributes become facts", "[collect]") {
  CHECK(facts("@kept = global ptr null "
              "define ptx_kernel void @k(ptr captures(none) readonly %a, "
              "ptr captures(none) writeonly %b, ptr captures(none) %c, "
              "ptr %d, ptr captures(none) readnone %e, i32 %n, i64 %m) "
              "{ store ptr %d, ptr @kept ret void }") ==
        "k pointer:r pointer:w pointer:rw pointer:rwc pointer:- value value\n");
}

TEST_CASE("only kernels that are defined are listed", "[collect]") {
  CHECK(facts("declare ptx_kernel void @k(ptr)\n"
              "define void @f(ptr %p) { ret void }") == "");
}

TEST_CASE("structs by value may hold pointers", "[collect]") {
  const char *Types = "%A = type { float, i32 }\n%B = type { i32, ptr }\n"
                      "%C = type { [8 x i8] }\n%D = type { [7 x i8] }\n"
                      "%E = type { i64 }\n";
  CHECK(facts(std::string(Types) +
              "define ptx_kernel void @k(ptr byval(%A) %a, ptr byval(%B) %b, "
              "ptr byval(%C) %c, ptr byval(%D) %d, ptr byval(%E) %e) "
              "{ ret void }") == "k value holder:- holder:- value holder:-\n");
}

TEST_CASE("kernels of internal linkage are found by their plain name",
          "[collect]") {
  CHECK(facts("define ptx_kernel void @_ZL1kv__intern__12ab() { ret void }") ==
        "_ZL1kv\n");
}

TEST_CASE("unoptimized code is inferred on a copy", "[collect]") {
  const char *IR = R"(
target triple = "nvptx64-nvidia-cuda"
define void @store(ptr %p) noinline optnone {
  store float 1.0, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %a, ptr %b) noinline optnone {
  %slot = alloca ptr
  store ptr %a, ptr %slot
  %p = load ptr, ptr %slot
  call void @store(ptr %p)
  %v = load float, ptr %b
  ret void
})";
  CHECK(facts(IR) == "k pointer:w pointer:r\n");
  CHECK(facts(IR, true) == "k pointer:w pointer:-\n");
}

TEST_CASE("unoptimized code does what it says", "[collect]") {
  // It writes for a while what it writes back.
  CHECK(facts("define ptx_kernel void @k(ptr %p) { "
              "%a = alloca ptr store ptr %p, ptr %a %q = load ptr, ptr %a "
              "%t = load float, ptr %q store float -1.0, ptr %q "
              "store float %t, ptr %q ret void }",
              true) == "k pointer:rw\n");
  CHECK(facts("define ptx_kernel void @k(ptr %p) { "
              "%a = alloca ptr store ptr %p, ptr %a %q = load ptr, ptr %a "
              "store float -1.0, ptr %q store float -2.0, ptr %q ret void }",
              true) == "k pointer:w\n");
  CHECK(facts("define ptx_kernel void @k(ptr %p) { "
              "%a = alloca ptr store ptr %p, ptr %a %q = load ptr, ptr %a "
              "%t = load float, ptr %q ret void }",
              true) == "k pointer:-\n");
}

TEST_CASE("of a weak kernel another unit's may run", "[collect]") {
  CHECK(facts("define weak ptx_kernel void @k(ptr %p) { ret void }") ==
        "k calls-unknown may-trap\n");
  CHECK(facts("define weak_odr ptx_kernel void @k(ptr %p) { ret void }") != "");
}

TEST_CASE("a replaceable function is the module's own without others",
          "[collect]") {
  const char *IR =
      "define linkonce_odr void @work(ptr %p) { store float 0.0, ptr %p "
      "ret void } define ptx_kernel void @k(ptr %a) { "
      "call void @work(ptr %a) ret void }";
  CHECK(facts(IR, false, /*Whole=*/true) == "k pointer:w\n");
  CHECK(facts(IR, false, /*Whole=*/false) == "k pointer:rwc\n");
}
