//===- KernelWaitsTest.cpp - Kernels that wait, stop or print -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may wait for the host, end with an error, or print. Each
// fact has a kernel that has it and a twin that has not.
//
//===----------------------------------------------------------------------===//
#include "DeviceFacts.h"

using namespace echo;

TEST_CASE("system-scope atomics", "[collect]") {
  std::string Yes = "k system-atomics pointer:rw\n", No = "k pointer:rw\n";
  // atomicAdd, as clang writes it, and atomicAdd_system.
  CHECK(body("%x = atomicrmw add ptr %p, i32 1 seq_cst") == No);
  CHECK(body("%x = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, "
             "i32 1)",
             "declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)") ==
        Yes);
  CHECK(body("%x = atomicrmw add ptr %p, i32 1 monotonic") == Yes);
  CHECK(body("%x = atomicrmw add ptr %p, i32 1 syncscope(\"device\") "
             "monotonic") == No);
  CHECK(body("%x = load volatile i32, ptr %p") == No);
  CHECK(body("store volatile i32 1, ptr %p") == No);
  CHECK(body("call void asm sideeffect \"fence.sc.sys;\", \"\"()") == No);
  CHECK(body("call void asm sideeffect \"atom.sys.add.u32 a, [b], c;\", "
             "\"\"()") == Yes);
  CHECK(body("call void asm sideeffect \"red.sys.global.add.u32 [b], c;\", "
             "\"\"()") == Yes);
  CHECK(body("call void asm sideeffect \"atom.add.u32 a, [b], c;\", \"\"()") ==
        No);
  CHECK(body("call void asm sideeffect \"st.mmio.relaxed.sys.u32 [b], c;\", "
             "\"\"()") == Yes);
  CHECK(body("call void @f()", "declare void @f()") ==
        "k calls-unknown may-trap pointer:rw\n");
  CHECK(body("%f = load ptr, ptr %p call void %f()") ==
        "k calls-unknown may-trap pointer:rw\n");
  CHECK(body("call void @f()", "define void @f() { ret void }") == No);
  CHECK(body("call void @f()",
             "define void @f() {\nfence seq_cst\nret void }") == No);
}

TEST_CASE("kernels that may stop with an error", "[collect]") {
  std::string Yes = "k may-trap pointer:rw\n", No = "k pointer:rw\n";
  CHECK(body("call void @llvm.trap()", "declare void @llvm.trap()") == Yes);
  CHECK(body("call void @__assertfail()", "declare void @__assertfail()") ==
        "k may-trap pointer:rw\n");
  CHECK(body("call void asm sideeffect \"trap;\", \"\"()") == Yes);
  CHECK(body("call void asm sideeffect \"exit;\", \"\"()") == No);
  CHECK(body("call void @f()", "define void @f() {\ncall void @llvm.trap()\n"
                               "ret void }\ndeclare void @llvm.trap()") == Yes);
}

TEST_CASE("what a kernel calls by a pointer may stop, too", "[collect]") {
  const char *Table = "@table = global ptr @f\n";
  std::string Call = "%f = load ptr, ptr @table\ncall void %f()";
  auto Traps = [&](const char *Body, bool Whole) {
    std::string Others = Table + ("define void @f() {\n" + std::string(Body)) +
                         "ret void }\ndeclare void @llvm.trap()";
    std::string All = "define ptx_kernel void @k(ptr %p) {\n" + Call +
                      "\nret void\n}\n" + Others;
    return facts(All, false, Whole).find("may-trap") != std::string::npos;
  };
  CHECK(Traps("call void @llvm.trap()\n", true));
  CHECK_FALSE(Traps("", true));
  CHECK(Traps("", false)); // another unit may put its function there
}

TEST_CASE("kernels that may wait for the host", "[collect]") {
  std::string Yes = "k may-wait pointer:rw\n", No = "k pointer:rw\n";
  auto Loop = [](const char *Load) {
    return std::string("br label %again\nagain:\n%v = ") + Load +
           "\n%c = icmp eq i32 %v, 0\n"
           "br i1 %c, label %again, label %done\ndone:";
  };
  CHECK(body(Loop("load volatile i32, ptr %p")) == Yes);
  CHECK(body(Loop("load atomic i32, ptr %p acquire, align 4")) == Yes);
  CHECK(body(Loop("load atomic i32, ptr %p syncscope(\"device\") acquire, "
                  "align 4")) == Yes);
  CHECK(body(Loop("load i32, ptr %p")) == No);
  CHECK(body("%v = load volatile i32, ptr %p") == No);
  // Read-modify-write is a way to read.
  CHECK(body(Loop("atomicrmw add ptr %p, i32 0 seq_cst")) == Yes);
  CHECK(body(Loop("atomicrmw xchg ptr %p, i32 1 seq_cst")) == Yes);
  CHECK(body(Loop("call i32 asm sideeffect \"ld.relaxed.gpu.b32 $0, [$1];\", "
                  "\"=r,l\"(ptr %p)")) == Yes);
  CHECK(body(Loop("call i32 @get(ptr %p)"),
             "define i32 @get(ptr captures(none) %p) noinline {\n"
             "%v = atomicrmw add ptr %p, i32 0 seq_cst\nret i32 %v }") == Yes);
  CHECK(body(Loop("call i32 @get(ptr %p)"),
             "define i32 @get(ptr captures(none) %p) noinline {\n"
             "%v = atomicrmw add ptr %p, i32 0 seq_cst\nret i32 7 }") == Yes);
}

TEST_CASE("what an atomic gives decides no loop's end", "[collect]") {
  std::string Yes = "k may-wait pointer:rw\n", No = "k pointer:rw\n";
  // Body, and what goes on in its last block.
  auto Counted = [](const std::string &Body, const char *Last, const char *End,
                    const char *Step = "1") {
    return "br label %again\nagain:\n%i = phi i32 [ 0, %0 ], [ %n, %" +
           std::string(Last) + " ]\n" + Body + "\n%n = add i32 %i, " + Step +
           "\n%c = icmp ult i32 " + End +
           ", 99\nbr i1 %c, label %again, label %done\ndone:";
  };
  std::string Add = "%v = atomicrmw add ptr %p, i32 1 seq_cst\n";
  CHECK(body(Counted(Add, "again", "%n")) == No);
  CHECK(body(Counted(Add, "again", "%v")) == Yes);
  CHECK(body(Counted(Add, "again", "%n", "%v")) == Yes);
  // By a branch, and by memory.
  std::string Branch = Add + "%z = icmp eq i32 %v, 0\n"
                             "br i1 %z, label %a, label %b\n"
                             "a:\nbr label %b\nb:\n"
                             "%s = phi i32 [ 0, %again ], [ 1, %a ]\n";
  CHECK(body(Counted(Branch, "b", "%n")) == No);
  CHECK(body(Counted(Branch, "b", "%n", "%s")) == Yes);
  CHECK(body(Counted(Add + "%q = getelementptr i8, ptr %p, i64 8\n"
                           "%l = load i32, ptr %q\n",
                     "again", "%l")) == No);
  CHECK(body(Counted(Add + "%q = getelementptr i8, ptr %p, i64 8\n"
                           "store i32 %v, ptr %q\n%l = load i32, ptr %q\n",
                     "again", "%l")) == Yes);
  // An exit that an atomic alone leads to.
  CHECK(body("br label %again\nagain:\n" + Add +
             "%z = icmp eq i32 %v, 0\nbr i1 %z, label %again, label %b\n"
             "b:\nbr label %done\ndone:") == Yes);
  CHECK(body("br label %h\nh:\n%i = phi i32 [ 0, %0 ], [ %i, %a ], "
             "[ 7, %b ]\n" +
             Add +
             "%z = icmp eq i32 %v, 0\nbr i1 %z, label %a, label %b\n"
             "a:\nbr label %h\n"
             "b:\n%c = icmp ult i32 %i, 5\n"
             "br i1 %c, label %h, label %done\ndone:") == Yes);
}

TEST_CASE("a compare-and-swap that tries again waits for nobody", "[collect]") {
  auto Swap = [](const char *Next, const char *Exits) {
    return body(std::string("%first = load i32, ptr %p\nbr label %again\n"
                            "again:\n%e = phi i32 [ %first, %0 ], [ ") +
                Next +
                ", %again ]\n%new = add i32 %e, 1\n"
                "%x = cmpxchg ptr %p, i32 %e, i32 %new seq_cst seq_cst\n"
                "%old = extractvalue { i32, i1 } %x, 0\n"
                "%ok = extractvalue { i32, i1 } %x, 1\n"
                "%same = icmp eq i32 %old, %e\n"
                "%free = icmp eq i32 %old, 0\nbr i1 " +
                Exits + "\ndone:");
  };
  std::string Yes = "k may-wait pointer:rw\n", No = "k pointer:rw\n";
  CHECK(Swap("%old", "%ok, label %done, label %again") == No);
  CHECK(Swap("%old", "%same, label %done, label %again") == No);
  CHECK(Swap("%old", "%same, label %again, label %done") == Yes);
  CHECK(Swap("%old", "%free, label %done, label %again") == Yes);
  CHECK(Swap("0", "%ok, label %done, label %again") == Yes); // a lock
  // What one place holds says nothing of another one.
  auto In = [](const char *Place) {
    return body(std::string("%first = load i32, ptr %p\nbr label %again\n"
                            "again:\n%e = phi i32 [ %first, %0 ], "
                            "[ %old, %again ]\n"
                            "%i = phi i64 [ 0, %0 ], [ %n, %again ]\n"
                            "%n = xor i64 %i, 1\n%q = getelementptr i32, "
                            "ptr %p, i64 ") +
                Place +
                "\n%x = cmpxchg ptr %q, i32 %e, i32 %e seq_cst seq_cst\n"
                "%old = extractvalue { i32, i1 } %x, 0\n"
                "%ok = extractvalue { i32, i1 } %x, 1\n"
                "br i1 %ok, label %done, label %again\ndone:");
  };
  CHECK(In("1") == No);
  CHECK(In("%i") == Yes);
}

TEST_CASE("another unit's function may run in place of a weak one",
          "[collect]") {
  const char *Code = "define ptx_kernel void @k() { call void @f() ret void }\n"
                     "define weak void @f() { ret void }";
  CHECK(facts(Code) == "k calls-unknown may-trap\n");
  CHECK(facts(Code, false, /*Whole=*/true) == "k\n"); // without -rdc=true
}

TEST_CASE("kernels that may print", "[collect]") {
  CHECK(body("%n = call i32 @vprintf(ptr null, ptr null)",
             "declare i32 @vprintf(ptr, ptr)") == "k may-print pointer:rw\n");
  CHECK(body("%n = call i32 @f()",
             "define i32 @f() {\n%n = call i32 @vprintf(ptr null, ptr null)\n"
             "ret i32 %n }\ndeclare i32 @vprintf(ptr, ptr)") ==
        "k may-print pointer:rw\n");
  CHECK(body("%n = call ptr @malloc(i64 4)", "declare ptr @malloc(i64)") ==
        "k pointer:rw\n");
}

TEST_CASE("a device function for other units waits in their loops",
          "[collect]") {
  auto Of = [](const char *Ret) {
    return allFacts(std::string("define i32 @get(ptr captures(none) %p) {\n"
                                "%v = atomicrmw add ptr %p, i32 1 seq_cst\n") +
                    Ret + "\n}");
  };
  CHECK(Of("ret i32 %v") == "@get may-wait pointer:rw\n");
  CHECK(Of("ret i32 0") == "@get pointer:rw\n");
}

TEST_CASE("inline assembly that loads afresh may wait", "[collect]") {
  auto Polls = [](const std::string &Text) {
    return body("call void asm sideeffect \"" + Text + "\", \"\"()") ==
           "k may-wait pointer:rw\n";
  };
  CHECK(Polls("ld.acquire.sys.global.b32 t, [x];"));
  CHECK_FALSE(Polls("ld.acquire.gpu.global.b32 t, [x];"));
  CHECK(Polls("ld.acquire.gpu.b32 t, [x]; ld.relaxed.sys.b32 t, [y];"));
  CHECK(Polls("ld.acquire.gpu.b32 t, [x]; ld.volatile.b32 t, [y];"));
  CHECK(body("call void asm sideeffect \"ld.global.cv.b32 t, [x];\", "
             "\"\"()") == "k may-wait pointer:rw\n");
  CHECK(body("call void asm sideeffect \"ld.global.cg.b32 t, [x];\", "
             "\"\"()") == "k pointer:rw\n");
}
