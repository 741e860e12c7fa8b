//===- KernelAddressesTest.cpp - What kernels do with addresses -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which addresses a kernel reads, keeps, compares or hands on, also by
// functions and inline assembly. Each fact has a kernel that has it and a twin
// that has not.
//
//===----------------------------------------------------------------------===//
#include "DeviceFacts.h"

using namespace echo;

TEST_CASE("what a kernel loads from its structs", "[collect]") {
  // A field that is read through, one that is written through, a number, and
  // elements at any index.
  CHECK(facts("define ptx_kernel void @k(ptr byval({ptr, ptr, i32}) %v) { "
              "%a = load ptr, ptr %v %x = load float, ptr %a "
              "%p = getelementptr i8, ptr %v, i64 8 %b = load ptr, ptr %p "
              "store float %x, ptr %b "
              "%q = getelementptr i8, ptr %v, i64 16 %n = load i32, ptr %q "
              "ret void }") == "k holder:0-8:r,8-16:w,16-20:c\n");
  CHECK(facts("define ptx_kernel void @k(ptr byval([4 x ptr]) %v, i64 %i) { "
              "%p = getelementptr ptr, ptr %v, i64 %i %a = load ptr, ptr %p "
              "store float 0.0, ptr %a ret void }") ==
        "k holder:0-32:w value\n");
  // The struct's address goes elsewhere; nothing is loaded; a pointer is kept.
  CHECK(facts("@kept = global ptr null "
              "define ptx_kernel void @k(ptr byval({ptr}) %v) { "
              "store ptr %v, ptr @kept ret void }") == "k holder\n");
  CHECK(facts("define ptx_kernel void @k(ptr byval({ptr}) %v) { ret void }") ==
        "k holder:-\n");
  CHECK(facts("@kept = global ptr null "
              "define ptx_kernel void @k(ptr byval({ptr}) %v) { "
              "%a = load ptr, ptr %v store ptr %a, ptr @kept ret void }") ==
        "k holder:0-8:c\n");
}

TEST_CASE("pieces of pointers in structs", "[collect]") {
  // What is made of half a word may become part of an address.
  auto Half = [](const std::string &Use) {
    return facts("@s = addrspace(3) global [64 x i8] zeroinitializer "
                 "declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, "
                 "i64, i1) "
                 "define ptx_kernel void @k(ptr byval([4 x i64]) %v, "
                 "ptr captures(none) readonly %p) { "
                 "%q = getelementptr i8, ptr %v, i64 12 "
                 "%n = load i32, ptr %q " +
                 Use + " ret void }");
  };
  std::string Word = "k holder:8-16:c pointer:r\n",
              Number = "k holder:12-16:c pointer:r\n";
  CHECK(Half("store i32 %n, ptr addrspace(3) @s") == Word);
  CHECK(Half("%m = add i32 %n, 7 store i32 %m, ptr addrspace(3) @s") == Word);
  CHECK(Half("%m = mul i32 %n, 3 store i32 %m, ptr addrspace(3) @s") == Word);
  CHECK(Half("%f = uitofp i32 %n to float store float %f, "
             "ptr addrspace(3) @s") == Word);
  CHECK(Half("%m = add i32 %n, 7 %c = icmp ult i32 %m, 9 "
             "store i1 %c, ptr addrspace(3) @s") == Number);
  CHECK(Half("%m = mul i32 %n, 7 %i = sext i32 %m to i64 "
             "%a = getelementptr i8, ptr %p, i64 %i %x = load i8, ptr %a") ==
        Number);
  // So may bytes that are copied, few as they are.
  auto Copy = [](const char *Size) {
    return facts(std::string("@s = addrspace(3) global [64 x i8] "
                             "zeroinitializer "
                             "declare void @llvm.memcpy.p3.p0.i64("
                             "ptr addrspace(3), ptr, i64, i1) "
                             "define ptx_kernel void @k("
                             "ptr byval([4 x i64]) %v) { "
                             "%q = getelementptr i8, ptr %v, i64 13 "
                             "call void @llvm.memcpy.p3.p0.i64("
                             "ptr addrspace(3) @s, ptr %q, i64 ") +
                 Size + ", i1 false) ret void }");
  };
  CHECK(Copy("3") == "k holder:8-16:rwc\n");
  CHECK(Copy("5") == "k holder:8-24:rwc\n");
}

TEST_CASE("what functions load from a kernel's structs", "[collect]") {
  auto Given = [](const std::string &Use) {
    return facts(
        "@kept = global ptr null declare void @llvm.memcpy.p0.p0.i64("
        "ptr, ptr, i64, i1) "
        "define void @f(ptr %s) { %p = getelementptr i8, ptr %s, i64 8 "
        "%b = load ptr, ptr %p store float 0.0, ptr %b ret void } "
        "define void @keep(ptr %s) { store ptr %s, ptr @kept ret void "
        "} define ptx_kernel void @k(ptr byval({ptr, ptr, [2 x i64]}) "
        "%v, i1 %c) { %at = getelementptr i8, ptr %v, i64 8 " +
        Use + " ret void }");
  };
  CHECK(Given("call void @f(ptr %v)") == "k holder:8-16:w value\n");
  CHECK(Given("call void @f(ptr %at)") == "k holder:16-24:w value\n");
  CHECK(Given("call void @keep(ptr %at)") == "k holder value\n");
  CHECK(Given("%p = select i1 %c, ptr %v, ptr %at call void @f(ptr %p)") ==
        "k holder:0-32:w value\n");
  std::string Copy = "%l = alloca [16 x i8] call void "
                     "@llvm.memcpy.p0.p0.i64(ptr ";
  CHECK(Given(Copy + "%l, ptr %at, i64 16, i1 false)") ==
        "k holder:8-24:rwc value\n");
  CHECK(Given(Copy + "%at, ptr %l, i64 16, i1 false)") == "k holder value\n");
}

TEST_CASE("addresses in one buffer are compared", "[collect]") {
  // A loop over [%a, %a + %n).
  auto Loop = [](const std::string &Gep, const std::string &Until) {
    return facts("define ptx_kernel void @k(ptr %a, ptr %b, i64 %n) { "
                 "entry: %e = " +
                 Gep +
                 " i32, ptr %a, i64 %n br label %l "
                 "l: %p = phi ptr [ %a, %entry ], [ %q, %l ] "
                 "store i32 0, ptr %p "
                 "%q = getelementptr inbounds i32, ptr %p, i64 1 %is = icmp " +
                 Until + " br i1 %is, label %l, label %x x: ret void }");
  };
  std::string In = "getelementptr inbounds", Any = "getelementptr",
              Yes = "k pointer:w pointer:- value\n",
              No = "k pointer:rwc pointer:- value\n";
  CHECK(Loop(In, "ult ptr %q, %e") == Yes);
  CHECK(Loop(In, "slt ptr %q, %e") == No);
  CHECK(Loop(Any, "ult ptr %q, %e") == No);
  CHECK(Loop(Any, "ne ptr %q, %e") == Yes);
  CHECK(Loop(In, "ne ptr %q, %b") == "k pointer:rwc pointer:rwc value\n");
  // How far they are apart.
  auto Distance = [](const std::string &Other) {
    return facts("define ptx_kernel void @k(ptr %a, ptr %b, i64 %n) { "
                 "%e = getelementptr i32, ptr %a, i64 %n "
                 "%x = ptrtoint ptr %e to i64 %y = ptrtoint ptr " +
                 Other +
                 " to i64 %d = sub i64 %x, %y store i64 %d, ptr %a ret void }");
  };
  CHECK(Distance("%a") == Yes);
  CHECK(Distance("%b") == "k pointer:rwc pointer:rwc value\n");
  // A pointer that is read again in each round may be another one.
  auto Read = [](const std::string &Before, const std::string &Inside) {
    return facts(
        "define ptx_kernel void @k(ptr byval([8 x ptr]) %v, i64 %n) { "
        "entry: " +
        Before +
        " br label %l l: %last = phi ptr [ %p0, %entry ], [ %p, %l ] " +
        Inside +
        " %is = icmp ne ptr %last, %p "
        "br i1 %is, label %l, label %x x: ret void }");
  };
  CHECK(Read("%p0 = load ptr, ptr %v",
             "%p = getelementptr i8, ptr %p0, i64 %n") ==
        "k holder:0-8:- value\n");
  CHECK(Read("%p0 = load ptr, ptr %v", "%p = load ptr, ptr %v") ==
        "k looks-at-addresses holder:0-8:c,0-8:c value\n");
}

TEST_CASE("pointers in variables of a thread or a block", "[collect]") {
  auto Through = [](const std::string &Global, const std::string &Where,
                    const std::string &More) {
    return facts("@kept = global ptr null " + Global +
                 " define ptx_kernel void @k(ptr %a, i64 %i) { "
                 "%rows = alloca [4 x ptr] "
                 "store ptr %a, ptr " +
                 Where + " %at = getelementptr ptr, ptr " + Where +
                 ", i64 %i %p = load ptr, ptr %at store float 0.0, ptr %p " +
                 More + " ret void }");
  };
  std::string Var = "(ptr addrspace(3) @s to ptr)",
              Block = "addrspacecast " + Var,
              Own = "@s = internal addrspace(3) global [4 x ptr] undef",
              Writes = "k pointer:w value\n", Keeps = "k pointer:rwc value\n";
  CHECK(Through("", "%rows", "") == Writes);
  CHECK(Through(Own, Block, "") == Writes);
  CHECK(Through("@s = external addrspace(3) global [0 x ptr]", Block, "") ==
        Keeps);
  CHECK(Through("@s = internal global [4 x ptr] undef", "@s", "") == Keeps);
  CHECK(Through("", "%rows", "store ptr %p, ptr @kept") == Keeps);
  CHECK(Through("", "%rows", "%n = load i64, ptr %at") == Keeps);
  CHECK(Through("", "%rows", "store i32 0, ptr %at") == Keeps);
  CHECK(Through("", "%rows", "store ptr %rows, ptr @kept") == Keeps);
  // Of another kernel of the module.
  std::string Other = " define ptx_kernel void @z(i64 %i) { "
                      "%p = load ptr, ptr " +
                      Block;
  CHECK(Through(Own + Other + " %x = load float, ptr %p ret void }", Block,
                "") == "k pointer:rw value\nz value\n");
}

TEST_CASE("pointers that reach other units through variables", "[collect]") {
  auto Given = [](const std::string &How) {
    return allFacts("declare void @g(ptr) define void @h(ptr %p) { "
                    "%q = getelementptr i8, ptr %p, i64 4 "
                    "call void @g(ptr %q) ret void } "
                    "define ptx_kernel void @k(ptr %a) { " +
                    How + " ret void }");
  };
  std::string Flow = "calls:g flow:0:g:0\n";
  auto Has = [](const std::string &Text, const std::string &Line) {
    return Text.find(Line) != std::string::npos;
  };
  std::string Put = "%s = alloca ptr store ptr %a, ptr %s ";
  CHECK(Has(Given(Put + "%p = load ptr, ptr %s call void @g(ptr %p)"),
            "@k looks-at-addresses pointer:- " + Flow));
  CHECK(Has(Given(Put + "call void @g(ptr %s)"), "@k pointer:rwc calls:g\n"));
  CHECK(Has(Given("%n = ptrtoint ptr %a to i64 %m = and i64 %n, -4 "
                  "%p = inttoptr i64 %m to ptr call void @g(ptr %p)"),
            "@k looks-at-addresses pointer:- " + Flow));
  CHECK(
      Has(Given("call void @h(ptr %a)"), "@k pointer:- calls:h flow:0:h:0\n"));
  CHECK(Has(Given("call void @h(ptr %a)"), "@h pointer:- " + Flow));
}

TEST_CASE("an address chosen from parameters is not read", "[collect]") {
  auto Printed = [](const std::string &What) {
    return facts("@x = constant [2 x i8] c\"x\\00\" "
                 "@y = constant [2 x i8] c\"y\\00\" "
                 "declare i32 @vprintf(ptr, ptr) "
                 "define ptx_kernel void @k(ptr %a, i1 %c) { "
                 "%args = alloca ptr %r = load ptr, ptr %a "
                 "%s = select i1 %c, ptr @x, ptr " +
                 What +
                 " store ptr %s, ptr %args "
                 "call i32 @vprintf(ptr @x, ptr %args) ret void }");
  };
  CHECK(Printed("@y") == "k may-print pointer:r value\n");
  CHECK(Printed("%r") == "k may-print looks-at-addresses pointer:r value\n");
  auto Two = [](const std::string &Look) {
    return facts("define ptx_kernel void @k(ptr %a) { "
                 "%r = load <2 x ptr>, ptr %a " +
                 Look + " store <2 x i64> %n, ptr %a ret void }");
  };
  CHECK(Two("%n = ptrtoint <2 x ptr> %r to <2 x i64>") ==
        "k looks-at-addresses pointer:rw\n");
  CHECK(Two("%n = load <2 x i64>, ptr %a") == "k pointer:rw\n");
}

TEST_CASE("low bits of an address are no secret", "[collect]") {
  auto Masked = [](const std::string &Mask) {
    return facts("define ptx_kernel void @k(ptr %a) { "
                 "%n = ptrtoint ptr %a to i64 %low = and i64 %n, " +
                 Mask +
                 " %is = icmp eq i64 %low, 0 br i1 %is, label %x, label %y "
                 "x: store float 0.0, ptr %a br label %y y: ret void }");
  };
  CHECK(Masked("15") == "k pointer:w\n");
  CHECK(Masked("255") == "k pointer:w\n");
  CHECK(Masked("256") == "k pointer:rwc\n");
}

TEST_CASE("an aligned address is one in the same place", "[collect]") {
  auto Aligned = [](const std::string &How) {
    return facts("define ptx_kernel void @k(ptr %a) { "
                 "%n = ptrtoint ptr %a to i64 " +
                 How +
                 " %p = inttoptr i64 %m to ptr "
                 "%o = atomicrmw add ptr %p, i32 1 seq_cst ret void }");
  };
  CHECK(Aligned("%m = and i64 %n, -4") == "k pointer:rw\n");
  CHECK(Aligned("%m = and i64 %n, -512") == "k pointer:rwc\n");
  CHECK(Aligned("%u = add i64 %n, 15 %m = and i64 %u, -16") ==
        "k pointer:rw\n");
  CHECK(Aligned("%u = add i64 %n, 300 %m = and i64 %u, -16") ==
        "k pointer:rwc\n");
  CHECK(Aligned("%m = xor i64 %n, 4") == "k pointer:rwc\n");
  // The low bits choose what is added; the address itself may not be.
  std::string Low = "%m = and i64 %n, -4 %t = trunc i64 %n to i32 ";
  CHECK(Aligned(Low + "%s = and i32 %t, 3 store i32 %s, ptr %a") ==
        "k pointer:rw\n");
  CHECK(Aligned(Low + "%s = and i32 %t, -4 store i32 %s, ptr %a") ==
        "k pointer:rwc\n");
  CHECK(Aligned(Low + "%x = sub i32 0, %t %s = and i32 %x, 3 "
                      "store i32 %s, ptr %a") == "k pointer:rw\n");
  CHECK(Aligned(Low + "%x = udiv i32 %t, 64 %s = and i32 %x, 3 "
                      "store i32 %s, ptr %a") == "k pointer:rwc\n");
  // What is made of it is kept.
  CHECK(facts("@kept = global ptr null define ptx_kernel void @k(ptr %a) { "
              "%n = ptrtoint ptr %a to i64 %m = and i64 %n, -4 "
              "%p = inttoptr i64 %m to ptr store ptr %p, ptr @kept "
              "ret void }") == "k pointer:rwc\n");
}

TEST_CASE("an address inside a buffer is null where the buffer is",
          "[collect]") {
  auto Tested = [](const std::string &Gep, const std::string &With) {
    return facts("define ptx_kernel void @k(ptr %a, ptr %b, i64 %i, i1 %c) { "
                 "%g = " +
                 Gep +
                 " i32, ptr %a, i64 %i %p = select i1 %c, ptr %g, ptr null "
                 "%is = icmp eq ptr %p, " +
                 With +
                 " br i1 %is, label %y, label %x "
                 "x: store i32 0, ptr %p br label %y y: ret void }");
  };
  CHECK(Tested("getelementptr inbounds", "null") ==
        "k pointer:w pointer:- value value\n");
  CHECK(Tested("getelementptr", "null") ==
        "k pointer:rwc pointer:- value value\n");
  CHECK(Tested("getelementptr inbounds", "%b") ==
        "k pointer:rwc pointer:rwc value value\n");
}

/// What a kernel does whose address inline assembly gets as operand $0.

static std::string assembly(llvm::StringRef Text,
                            llvm::StringRef Constraints = "l,r,~{memory}") {
  return facts(("define ptx_kernel void @k(ptr %a, i32 %n) {\n"
                "call void asm sideeffect \"" +
                Text + "\", \"" + Constraints +
                "\"(ptr %a, i32 %n)\nret void\n}\n")
                   .str());
}

TEST_CASE("addresses that inline assembly gets", "[collect]") {
  std::string No = "k pointer:- value\n", Reads = "k pointer:r value\n",
              Writes = "k pointer:w value\n", Both = "k pointer:rw value\n",
              Keeps = "k pointer:rwc value\n";
  CHECK(assembly("{ red.global.add.noftz.bf16x2 [$0],$1; }\\0A") == Both);
  CHECK(assembly("atom.acq_rel.gpu.global.cas.b32 _, [$0+4], $1, 0;") == Both);
  CHECK(assembly("red.relaxed.sys.global.add.u32 [$0], $1;") ==
        "k system-atomics pointer:rwc value\n");
  CHECK(assembly("st.global.L1::no_allocate.b32 [$0 + -8], $1;") == Writes);
  CHECK(assembly("st.global.b32 [$0], $1; ld.global.nc.b32 t, [${0:x}];") ==
        Keeps); // a name that the parser does not know
  CHECK(assembly("{.reg .b32 t; ld.global.nc.b32 t, [$0];\\0A"
                 "st.global.cs.b32 [$0], t;}") == Both);
  CHECK(
      assembly("{.reg .pred p; setp.ne.b32 p, $1, 0;\\0A"
               "@p cp.async.cg.shared::cta.global.L2::128B [$1], [$0], 16;}") ==
      Reads);
  CHECK(assembly("prefetch.global.L2::evict_last [$0];") == No);
  CHECK(assembly("prefetch.L1 [$0];") == No);
  // Other instructions, and operands that are no places.
  CHECK(assembly("st.global.b64 [x], $0;") == Keeps);
  CHECK(assembly("st.global.b64 [$0], $0;") == Keeps);
  CHECK(assembly("{.reg .b64 t; mov.b64 t, $0; st.global.b32 [t], $1;}") ==
        Keeps);
  CHECK(assembly("{.reg .pred p; setp.ne.b64 p, $0, 0; @p st.b32 [$0], $1;}") ==
        Keeps);
  CHECK(assembly("st.global.b32 [$0], $1; // $0") == Keeps);
  CHECK(assembly("st.global.b32 [$0 + $1], 0;") == Keeps);
  CHECK(assembly("st.volatile.global.b32 [$0], $1;") == Keeps);
  CHECK(assembly("discard.global.L2 [$0], 128;") == Keeps);
  CHECK(assembly("prefetch.tensormap [$0];") == Keeps);
  CHECK(assembly("red.async.relaxed.cluster.global.add.u32 [$0], $1, [x];") ==
        Keeps);
  CHECK(assembly("cp.async.bulk.shared.global [$1], [$0], 16, [x];") == Keeps);
  CHECK(assembly("L: st.global.b32 [$0], $1;") == Keeps);
  // Constraints by which the register may have another name.
  CHECK(assembly("st.global.b32 [$0], $1;", "*m,r") != Writes);
  CHECK(facts("define ptx_kernel void @k(ptr %a) {\n"
              "%n = call ptr asm \"st.global.b32 [$1], 0;\", \"=l,0\"(ptr %a)\n"
              "ret void\n}\n") == "k pointer:rwc\n");
  // As a number.
  CHECK(facts("define ptx_kernel void @k(ptr %a) { "
              "%n = ptrtoint ptr %a to i64 "
              "call void asm sideeffect \"st.global.b32 [$0], 0;\", \"l\"(i64 "
              "%n) ret void }") == "k pointer:w\n");
}

/// What a kernel does that gives its pointer to @f.

TEST_CASE("what functions do that kernels call", "[collect]") {
  std::string Assembly = "call void asm sideeffect \"st.global.b32 [$0], 0;\", "
                         "\"l,~{memory}\"(ptr %p) ret void }";
  CHECK(given("define void @f(ptr %p) { " + Assembly) == "k pointer:w\n");
  // Another module may have another one.
  CHECK(given("define linkonce_odr void @f(ptr %p) { " + Assembly) ==
        "k pointer:rwc\n");
  CHECK(given("define void @f(ptr %p) { call void @g(ptr %p) ret void } "
              "define void @g(ptr %p) { " +
              Assembly) == "k pointer:w\n");
  CHECK(given("define void @f(ptr %p) { call void @g(ptr %p) " + Assembly +
              "define void @g(ptr %p) { store ptr %p, ptr @kept ret void }") ==
        "k pointer:rwc\n");
  CHECK(given("define void @f(ptr %p) { call void @f(ptr %p) " + Assembly) ==
        "k pointer:rwc\n");
  CHECK(given("define void @f(ptr %p) { %q = call ptr @g(ptr %p) "
              "store ptr %q, ptr @kept ret void } "
              "define ptr @g(ptr %p) { "
              "call void asm sideeffect \"st.global.b32 [$0], 0;\", "
              "\"l,~{memory}\"(ptr %p) ret ptr %p }") == "k pointer:rwc\n");
  CHECK(given("declare void @f(ptr %p)") ==
        "k calls-unknown may-trap pointer:rwc\n");
}

TEST_CASE("a function with hundreds of uses of its argument", "[collect]") {
  auto Loads = [](const std::string &Last) {
    std::string F = "define void @f(ptr %p) { ";
    for (int I = 0; I != 150; ++I)
      F += "%v" + std::to_string(I) + " = load float, ptr %p ";
    return given(F + Last + "ret void }");
  };
  CHECK(Loads("") == "k pointer:r\n");
  CHECK(Loads("store ptr %p, ptr @kept ") == "k pointer:rwc\n");
}

TEST_CASE("functions that get an address that was read", "[collect]") {
  auto Reads = [](const std::string &Body) {
    return facts("@kept = global ptr null define ptx_kernel void @k(ptr %a) { "
                 "%q = load ptr, ptr %a call void @f(ptr %q) ret void } "
                 "define void @f(ptr %p) { " +
                 Body + " ret void }");
  };
  std::string Access = "call void asm sideeffect \"st.global.b32 [$0], 0;\", "
                       "\"l,~{memory}\"(ptr %p)";
  CHECK(Reads(Access) == "k pointer:r\n");
  CHECK(Reads(Access + "%n = ptrtoint ptr %p to i64 %s = lshr i64 %n, 12 "
                       "store i64 %s, ptr @kept") ==
        "k looks-at-addresses pointer:r\n");
}
