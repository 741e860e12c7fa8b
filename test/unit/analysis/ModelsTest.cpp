//===- ModelsTest.cpp - Model files ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every construct of the language, every refusal with its line, and facts of
// the built-in files that would be dangerous if they were wrong.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Models.h"
#include <catch2/catch.hpp>

using namespace echo;

static std::string refusal(const char *Text) {
  ModelTable Table;
  llvm::Error E = Table.add(Text, "my.model");
  return E ? llvm::toString(std::move(E)) : "";
}

static FunctionModel one(const char *Line) {
  ModelTable Table;
  INFO(Line);
  REQUIRE(llvm::toString(Table.add(Line, "my.model")) == "");
  const FunctionModel *Model = Table.lookup("f");
  REQUIRE(Model);
  return *Model;
}

TEST_CASE("arguments") {
  FunctionModel M = one("f(v, r, w[0], rw![0*8B*4B], free, call, ...r)");
  REQUIRE(M.Args.size() == 6);
  CHECK(M.Args[0].What == ArgModel::Value);
  CHECK((M.Args[1].What == ArgModel::Access && M.Args[1].Reads));
  CHECK_FALSE((M.Args[1].Writes || M.Args[1].HasSize || M.Args[1].Exact));
  CHECK((M.Args[2].Writes && M.Args[2].HasSize && !M.Args[2].Reads));
  CHECK(M.Args[2].SizeArgs == llvm::SmallVector<unsigned, 2>{0});
  CHECK((M.Args[3].Reads && M.Args[3].Writes && M.Args[3].Exact));
  CHECK(M.Args[3].SizeConst == 32);
  CHECK(M.Args[4].What == ArgModel::Free);
  CHECK(M.Args[5].What == ArgModel::Callback);
  REQUIRE(M.VarArgs);
  CHECK(M.VarArgs->Reads);
  CHECK(one("f()").Args.empty());
  CHECK(one("f(w[16B])").Args[0].SizeConst == 16);
}

TEST_CASE("results and attributes") {
  FunctionModel M = one("f(v, w) -> 1 nounwind noreturn # why");
  CHECK(M.ReturnsArg == 1u);
  CHECK((M.NoUnwind && M.NoReturn));
  CHECK(M.Allocates == FunctionModel::NotAlloc);
  M = one("f(v, v) alloc calloc(0*1)");
  CHECK(M.Allocates == FunctionModel::Calloc);
  CHECK(M.AllocSizeArgs == llvm::SmallVector<unsigned, 2>{0, 1});
  CHECK(one("f(free, v) alloc realloc(1)").Allocates == FunctionModel::Realloc);
  CHECK(one("f(v, v) alloc aligned(1)").Allocates == FunctionModel::Aligned);
  CHECK_FALSE(one("f(v, v) alloc aligned(1)").AllocAlignArg);
  CHECK(one("f(v, v, v) alloc aligned(1*2, 0)").AllocAlignArg == 0u);
  CHECK(one("f(v, v) alloc new(0, 1)").AllocAlignArg == 1u);
  CHECK_FALSE(one("f(v) alloc malloc(0)").allocOut());
  CHECK(one("f(rw, print)").Args[1].Prints);
  CHECK_FALSE(one("f(rw, v)").Args[1].Prints);
  CHECK(one("f(v, out) alloc malloc(0)").allocOut() == 1u);
  CHECK(one("f(v) alloc new(0)").Allocates == FunctionModel::New);
}

TEST_CASE("what a call accesses and waits for") {
  FunctionModel M = one("f(r)");
  CHECK(M.Memory == llvm::MemoryEffects::unknown());
  CHECK(M.Sync == FunctionModel::MaySync);
  CHECK(M.writesOther());
  M = one("f(r) nosync memory(argmem: read)");
  CHECK(M.Memory == llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  CHECK(M.Sync == FunctionModel::NoSync);
  CHECK_FALSE(M.writesOther());
  CHECK(one("f() nosync(files)").Sync == FunctionModel::FilesOnly);
  CHECK(one("f() memory(none)").Memory == llvm::MemoryEffects::none());
  CHECK(one("f() memory(read)").Memory == llvm::MemoryEffects::readOnly());
  M = one("f(w) memory(read, argmem: write, errnomem: write)");
  CHECK_FALSE(M.writesOther());
  CHECK(isModSet(M.Memory.getModRef(llvm::IRMemLocation::ErrnoMem)));
  CHECK(M.Memory.getModRef(llvm::IRMemLocation::InaccessibleMem) ==
        llvm::ModRefInfo::Ref);
}

TEST_CASE("attributes of several functions") {
  ModelTable Table;
  REQUIRE(llvm::toString(Table.add("group own nounwind nosync\n"
                                   "attributes nounwind memory(none)\n"
                                   "a() nosync\n"
                                   "b() own\n"
                                   "attributes own\n"
                                   "c()\n"
                                   "attributes\n"
                                   "d()\n",
                                   "m")) == "");
  CHECK(Table.lookup("a")->NoUnwind);
  CHECK(Table.lookup("a")->Memory == llvm::MemoryEffects::none());
  CHECK(Table.lookup("a")->Sync == FunctionModel::NoSync);
  for (const char *Name : {"b", "c"}) {
    CHECK(Table.lookup(Name)->NoUnwind);
    CHECK(Table.lookup(Name)->writesOther());
    CHECK(Table.lookup(Name)->Sync == FunctionModel::NoSync);
  }
  CHECK_FALSE(Table.lookup("d")->NoUnwind);
}

TEST_CASE("prototypes") {
  FunctionModel M = one("i32 f(r, i64, v, ptr, x86_fp80)");
  CHECK(M.Returns == ValueType::I32);
  CHECK(M.Args[0].Type == ValueType::Any);
  CHECK(M.Args[1].Type == ValueType::I64);
  CHECK(M.Args[2].Type == ValueType::Any);
  CHECK(M.Args[3].Type == ValueType::Pointer);
  CHECK(M.Args[3].What == ArgModel::Value);
  CHECK(M.Args[4].Type == ValueType::LongDouble);
  CHECK(one("f()").Returns == ValueType::Any);
  CHECK(one("void f()").Returns == ValueType::Void);
}

TEST_CASE("what a library does on the GPU") {
  FunctionModel M = one("f(v, dr, dw[0*4B], drw, hdr, hdw) on handle(0)");
  CHECK(M.Works == FunctionModel::OfHandle);
  CHECK(M.StreamArg == 0);
  CHECK(M.usesGpu());
  CHECK(M.Args[0].What == ArgModel::Value);
  for (unsigned A : {1, 2, 3})
    CHECK(M.Args[A].What == ArgModel::Device);
  for (unsigned A : {4, 5})
    CHECK(M.Args[A].What == ArgModel::Either);
  CHECK((M.Args[1].Reads && !M.Args[1].Writes));
  CHECK((!M.Args[2].Reads && M.Args[2].Writes && M.Args[2].HasSize));
  CHECK((M.Args[3].Reads && M.Args[3].Writes));
  CHECK((M.Args[4].Reads && !M.Args[4].Writes));
  CHECK((!M.Args[5].Reads && M.Args[5].Writes));

  M = one("f(dr, v) on stream(1) nounwind");
  CHECK(M.Works == FunctionModel::OfArgument);
  CHECK(M.StreamArg == 1);
  CHECK(M.NoUnwind);
  CHECK(one("f(dr) on default").Works == FunctionModel::DefaultStream);
  CHECK(one("f(dr) on unknown").Works == FunctionModel::SomeStream);
  // Work that uses no argument.
  CHECK(one("f(v) on handle(0)").Works == FunctionModel::OfHandle);

  CHECK(*one("f(v, w[8B]) creates handle(1)").CreatesHandle == 1);
  CHECK(*one("f(w[4B]) creates handle(0)").CreatesHandle == 0);
  CHECK(*one("f(v) destroys handle(0)").DestroysHandle == 0);
  M = one("f(v, v, v) setstream(2, 1)");
  REQUIRE(M.SetsStream);
  CHECK(M.SetsStream->Handle == 2);
  CHECK(M.SetsStream->Stream == 1);
  CHECK(M.usesGpu());
  CHECK_FALSE(one("f(v, rw)").usesGpu());
  M = one("f(v, keepeach)");
  CHECK((M.keepsEach(1) && M.Args[1].Reads && !M.Args[1].Writes));
  CHECK_FALSE((M.keepsEach(0) || M.keepsEach(2)));
  CHECK((M.keeps() && M.usesGpu()));
  CHECK(one("f(keepeach) on unknown").keepsEach(0));
  FunctionModel Input = one("f(const, v)");
  CHECK((Input.Args[0].Const && Input.Args[0].What == ArgModel::Value));
  CHECK_FALSE(Input.Args[1].Const);
}

TEST_CASE("a line for several names") {
  ModelTable Table;
  REQUIRE(llvm::toString(Table.add("f_{8u,16u}_C{1,3}R{,_Ctx}(r)", "m")) == "");
  for (const char *Name : {"f_8u_C1R", "f_16u_C1R", "f_8u_C3R", "f_16u_C3R",
                           "f_8u_C1R_Ctx", "f_16u_C3R_Ctx"}) {
    INFO(Name);
    REQUIRE(Table.lookup(Name));
    CHECK(Table.lookup(Name)->Name == Name);
    CHECK(Table.lookup(Name)->Args[0].Reads);
  }
  CHECK_FALSE(Table.lookup("f_8u_C"));
  CHECK_FALSE(Table.lookup("f_8u_C4R"));
}

TEST_CASE("wrong lines are refused with file, line and reason") {
  auto [Line, Reason] = GENERATE(table<const char *, const char *>({
      {"f", "expected '(' after the function's name"},
      {"f{a,b(v)", "expected '}' after the alternatives in a name"},
      {"f{a,a}(v)", "'fa' is described twice"},
      {"{1,f}(v)", "expected the name of a function"},
      {"f{a}", "expected '(' after the function's name"},
      {"f(...keepeach)", "further arguments are"},
      {"f(keepeach[8B])", "only r, w and rw take a size"},
      {"f(x)", "hdr, hdw, hdrw, keep, keepeach or const, not 'x)'"},
      {"f(v", "expected ')' after the arguments, found the end of the line"},
      {"f(v) extra", "or a group, found 'extra'"},
      {"f(v) nothrow", "expected nounwind"},
      {"f(w) memory(none)", "denies what the arguments say"},
      {"f(r) memory(argmem: write)", "denies what the arguments say"},
      {"f() memory(other: read)", "not 'other:'"},
      {"f() nosync(threads)", "expected 'files'"},
      {"int f()", "the type of a result is"},
      {"f(void)", "an argument is v or a type"},
      {"f(dr) on default callbacks", "'callbacks' needs on handle(N)"},
      {"attributes noreturn", "what functions share"},
      {"attributes on default", "what functions share"},
      {"group on nounwind", "expected the name of a group"},
      {"f(w[1])", "a size names argument 1, but there are 1"},
      {"f(w[1], r)", "which is a buffer"},
      {"f(w!)", "needs a size"},
      {"f(v[0])", "only r, w and rw take a size"},
      {"f(w[4096])", "a constant is written 4096B"},
      {"f(w[0B])", "makes no sense"},
      {"f(w[99999999999999999999B])", "too large"},
      {"f(v) -> 0", "must name an argument that is r, w or rw"},
      {"f(r) -> 3", "must name an argument"},
      {"f(v) alloc", "alloc takes malloc"},
      {"f(v) alloc pool(0)", "not 'pool(0)'"},
      {"f(v) alloc malloc()", "expected a number"},
      {"f(v) alloc malloc(1)", "but there are 1"},
      {"f(v) alloc realloc(0)", "needs 'free'"},
      {"f(r, v) -> 0 alloc malloc(1)", "not both"},
      {"f(...free)", "further arguments are"},
      {"f(...out) alloc malloc(0)", "further arguments are"},
      {"f(v, v) alloc aligned(1, )", "expected a number"},
      {"f(v, v) alloc aligned(1, 2)", "the alignment names argument 2, but"},
      {"f(v, r) alloc aligned(0, 1)", "the alignment names argument 1, which"},
      {"f(v, v) alloc malloc(0, 1)", "only alloc aligned and alloc new"},
      {"f(free, v, v) alloc realloc(1, 2)", "only alloc aligned and alloc new"},
      {"f(out, v)", "'out' needs alloc malloc"},
      {"f(out, v) alloc new(1)", "'out' needs alloc malloc"},
      {"f(out, out, v) alloc malloc(2)", "one 'out' at most"},
      {"f(out[8B], v) alloc malloc(1)", "only r, w and rw take a size"},
      {"f(out) alloc malloc(0)", "which is a buffer, not a number"},
      {"f(...r, v)", "expected ')' after the further arguments"},
      {"f(v, dr)", "needs a stream: on handle(N), on stream(N), on default"},
      {"f(v, hdw)", "needs a stream"},
      {"f(v, drx) on handle(0)", "not 'drx)'"},
      {"f(v, dw![0]) on handle(0)", "'!' is for the host's memory"},
      {"f(v, hdw![0]) on handle(0)", "'!' is for the host's memory"},
      {"f(v, dr[1]) on handle(0)", "names argument 1, which is a buffer"},
      {"f(v, ...dr) on handle(0)", "further arguments are"},
      {"f(v, dr) on", "on takes handle(N), stream(N), default or unknown"},
      {"f(v, dr) on queue(0)", "not 'queue(0)'"},
      {"f(v, dr) on handle", "expected '(' after 'handle'"},
      {"f(v, dr) on handle(x)", "expected a number"},
      {"f(v, dr) on handle(0", "expected ')' after the number of an argument"},
      {"f(v, dr) on handle(2)", "'on' names argument 2, but there are 2"},
      {"f(v, dr) on stream(1)", "'on' names argument 1, which is a buffer"},
      {"f(v, dr) on unknown on unknown", "'on' is given twice"},
      {"f(v) alloc malloc(0) on unknown", "not both"},
      {"f(w) creates handle(0)", "must name an argument that is w[8B]"},
      {"f(rw[8B]) creates handle(0)", "must name an argument that is w[8B]"},
      {"f(w[2B]) creates handle(0)", "must name an argument that is w[8B]"},
      {"f(w[8B]) creates handle(1)", "'creates handle(1)' must name"},
      {"f(w[8B]) creates stream(0)", "expected handle(N), found 'stream'"},
      {"f(w[8B]) creates handle(0) creates handle(0)", "is given twice"},
      {"f(v) destroys handle(1)", "'destroys' names argument 1"},
      {"f(v, v) setstream(0)", "expected ',' between handle and stream"},
      {"f(v, r) setstream(0, 1)", "'setstream' names argument 1, which is a"},
      {"f(v, v) setstream(0, 1) setstream(0, 1)", "is given twice"},
      {"12(v)", "expected the name of a function"},
      {"f(v)\nf(v)", "described twice"},
      {"\x01\x02", "expected the name of a function"},
  }));
  std::string Error = refusal(Line);
  INFO(Line << " gave: " << Error);
  CHECK(Error.rfind("my.model:", 0) == 0);
  CHECK(Error.find(Reason) != std::string::npos);
}

TEST_CASE("a wrong file adds nothing, and its line is named") {
  ModelTable Table;
  CHECK(llvm::toString(Table.add("good(v)\n\n# note\nbad(q)\n", "m"))
            .rfind("m:4: ", 0) == 0);
  CHECK(Table.lookup("good") == nullptr);
  CHECK(
      llvm::toString(Table.addFile("/no/such.model")).find("/no/such.model") !=
      std::string::npos);
}

TEST_CASE("a file says what its names begin with") {
  ModelTable Table;
  REQUIRE_FALSE(bool(Table.add("# note\nnames f\nfirst(v)\nf(r)", "m")));
  CHECK(Table.lookup("first"));
  CHECK(llvm::toString(Table.add("names f\n\ng(v)", "m"))
            .find("m:3: 'g' does not begin with 'f'") != std::string::npos);
  CHECK(llvm::toString(Table.add("f(v)\nnames f", "m")).rfind("m:2: ", 0) == 0);
  ModelTable Fewer;
  std::string Npp = std::string(ECHO_MODELS_DIR) + "/npp.model";
  REQUIRE_FALSE(bool(Fewer.addFile(
      Npp, [&](llvm::StringRef Prefix) { return Prefix != "npp"; })));
  CHECK_FALSE(Fewer.lookup("nppGetLibVersion"));
  REQUIRE_FALSE(bool(Fewer.addFile(Npp, [](llvm::StringRef) { return true; })));
  CHECK(Fewer.lookup("nppGetLibVersion"));
}

TEST_CASE("a later file replaces an earlier model") {
  ModelTable Table;
  REQUIRE_FALSE(bool(Table.add("f(v)", "a")));
  REQUIRE_FALSE(bool(Table.add("f(r)", "b")));
  CHECK(Table.lookup("f")->Args[0].Reads);
}

namespace {
struct Builtin {
  ModelTable Table;
  Builtin() {
    for (const char *File : {"/libc.model", "/libcxx.model", "/cublas.model",
                             "/cufft.model", "/curand.model", "/cusolver.model",
                             "/cusparse.model", "/cudnn.model", "/npp.model"})
      REQUIRE(llvm::toString(
                  Table.addFile(std::string(ECHO_MODELS_DIR) + File)) == "");
  }
  const FunctionModel &get(const char *Name) const {
    INFO(Name);
    const FunctionModel *Model = Table.lookup(Name);
    REQUIRE(Model);
    return *Model;
  }
};
} // namespace

TEST_CASE("built-in models: full overwrites") {
  Builtin B;
  for (const char *Name : {"memset", "memcpy", "memmove", "bzero", "strncpy"})
    CHECK(B.get(Name).Args[0].Exact);
  for (const char *Name : {"fread", "strcpy", "fgets", "snprintf", "strncat"})
    CHECK_FALSE(B.get(Name).Args[0].Exact);
  CHECK_FALSE(B.get("read").Args[1].Exact);
  CHECK(B.get("fread").Args[0].SizeArgs ==
        llvm::SmallVector<unsigned, 2>{1, 2});
  CHECK(B.get("memcpy").ReturnsArg == 0u);
}

TEST_CASE("built-in models: what may be written is written") {
  Builtin B;
  CHECK(B.get("scanf").VarArgs->Writes);
  CHECK(B.get("sscanf").VarArgs->Writes);
  CHECK(B.get("printf").VarArgs->Writes); // %n
  CHECK(B.get("qsort").Args[3].What == ArgModel::Callback);
  CHECK(B.get("strtol").Args[0].What == ArgModel::Value); // kept in *endptr
}

TEST_CASE("built-in models: allocation") {
  Builtin B;
  CHECK(B.get("malloc").Allocates == FunctionModel::Malloc);
  CHECK(B.get("calloc").AllocSizeArgs == llvm::SmallVector<unsigned, 2>{0, 1});
  CHECK(B.get("aligned_alloc").AllocSizeArgs ==
        llvm::SmallVector<unsigned, 2>{1});
  CHECK(B.get("aligned_alloc").AllocAlignArg == 0u);
  CHECK(B.get("posix_memalign").AllocAlignArg == 1u);
  CHECK(B.get("posix_memalign").allocOut() == 0u);
  CHECK_FALSE(B.get("valloc").AllocAlignArg);
  CHECK(B.get("_ZnamSt11align_val_t").AllocAlignArg == 1u);
  CHECK(B.get("_Znam").Allocates == FunctionModel::New);
  CHECK_FALSE(B.get("_Znam").NoUnwind);
  CHECK(B.get("_ZdaPv").Args[0].What == ArgModel::Free);
  CHECK(B.get("strdup").Allocates == FunctionModel::NotAlloc);
}

TEST_CASE("built-in models: what keeps or follows pointers takes no buffer") {
  Builtin B;
  for (const char *Name : {"strtok", "strtok_r", "mmap", "munmap", "madvise",
                           "mprotect", "mlock", "getopt"}) {
    INFO(Name);
    CHECK(B.get(Name).Args[0].What == ArgModel::Value);
  }
  // They may write what no argument shows.
  for (const char *Name : {"strtok", "strsep", "getline", "getopt", "vprintf",
                           "getopt_long", "readv", "vsnprintf"}) {
    INFO(Name);
    CHECK_FALSE(B.get(Name).NoUnwind);
  }
}

TEST_CASE("built-in models: what writes variables of the program") {
  Builtin B;
  for (const char *Name :
       {"lgamma", "lgammaf", "gammal", "tzset", "mktime", "localtime", "ctime",
        "strftime", "setenv", "unsetenv", "clearenv", "setlocale", "strerror",
        "getopt", "strtok", "read", "pthread_mutex_lock"}) {
    INFO(Name);
    CHECK(B.get(Name).writesOther());
  }
  for (const char *Name :
       {"tgamma", "lgamma_r", "sin", "clock", "getenv", "memcpy", "strlen",
        "printf", "fgets", "malloc", "free", "_Znwm", "cublasSgemm_v2"}) {
    INFO(Name);
    CHECK_FALSE(B.get(Name).writesOther());
  }
  // Who is at the other end of a pipe wrote something, too.
  for (const char *Name : {"fgets", "printf", "access", "_ZNSirsERi"})
    CHECK(B.get(Name).Sync == FunctionModel::FilesOnly);
  for (const char *Name : {"pthread_mutex_lock", "sem_wait", "read", "usleep"})
    CHECK(B.get(Name).Sync == FunctionModel::MaySync);
}

TEST_CASE("built-in models: prototypes") {
  Builtin B;
  const FunctionModel &Truncate = B.get("truncate");
  CHECK(Truncate.Returns == ValueType::I32);
  CHECK(Truncate.Args[1].Type == ValueType::I64);
  CHECK(Truncate.OfSystem);
  CHECK(B.get("printf").VarArgs);
  // Not of the C library's files: a program may link them as it likes.
  for (const char *Name : {"omp_get_wtime", "_Znwm", "cublasCreate_v2"})
    CHECK_FALSE(B.get(Name).OfSystem);
}

TEST_CASE("functions that keep pointers have no built-in model") {
  Builtin B;
  for (const char *Name : {"setvbuf",        "setbuf",
                           "setbuffer",      "fopencookie",
                           "fmemopen",       "open_memstream",
                           "aio_read",       "aio_write",
                           "pthread_create", "atexit",
                           "on_exit",        "__cxa_atexit",
                           "signal",         "sigaction",
                           "putenv",         "malloc_usable_size",
                           "setjmp",         "longjmp",
                           "ioctl",          "__kmpc_fork_call",
                           "vsscanf",        "__isoc99_vsscanf",
                           "initstate",      "tsearch",
                           "vmsplice",       "raise"}) {
    INFO(Name);
    CHECK(B.Table.lookup(Name) == nullptr);
  }
}

TEST_CASE("built-in models of GPU libraries") {
  Builtin B;
  const FunctionModel &Gemm = B.get("cublasSgemm_v2");
  CHECK(Gemm.Works == FunctionModel::OfHandle);
  for (unsigned A : {6, 11}) // alpha, beta
    CHECK((Gemm.Args[A].What == ArgModel::Either && !Gemm.Args[A].Writes));
  for (unsigned A : {7, 9}) // A, B
    CHECK((Gemm.Args[A].What == ArgModel::Device && !Gemm.Args[A].Writes));
  CHECK((Gemm.Args[12].Reads && Gemm.Args[12].Writes));
  CHECK(B.get("cublasSdot_v2").Args[6].What == ArgModel::Either);
  CHECK(B.get("cublasLtMatmul").StreamArg == 15);
  CHECK_FALSE(B.get("cufftExecC2C").Args[1].Writes);
  CHECK(B.get("cufftExecC2R").Args[1].Writes);
  CHECK(B.get("curandGenerateUniform").Args[1].What == ArgModel::Either);
  CHECK(B.get("cusparseCreateDnVec").Args[2].What == ArgModel::Keep);
  CHECK(B.get("cusparseCreateDnVec").usesGpu());
  CHECK(B.get("cudnnBackendSetAttribute").keepsEach(4));
  CHECK(B.get("cudnnBackendExecute").Works == FunctionModel::OfHandle);
  // The first rectangle is two arguments, the second is in memory.
  const FunctionModel &Warp = B.get("nppiWarpAffine_8u_C3R");
  CHECK(Warp.Args.size() == 10);
  CHECK((Warp.Args[5].What == ArgModel::Device && Warp.Args[5].Writes));
  CHECK(B.get("nppiWarpAffine_8u_C3R_Ctx").Args.size() == 11);
  CHECK(B.get("nppiFree").Args[0].What == ArgModel::Value);
  // What they keep is no memory that they use during the call.
  CHECK(B.get("cublasSetWorkspace_v2").Args[1].What == ArgModel::Value);
  CHECK(B.get("cufftSetWorkArea").Args[1].What == ArgModel::Value);
  CHECK(B.get("cudnnSetDropoutDescriptor").Args[3].What == ArgModel::Value);
  for (const char *Name :
       {"cublasSgemmGroupedBatched", "cublasGetStream_v2", "cublasXtSgemm",
        "cublasSetLoggerCallback", "cufftXtSetCallback",
        "cufftXtExecDescriptor", "cudnnBackendPopulateCudaGraph",
        "cudnnGetStream", "cudnnFusedOpsExecute", "cudnnSetCallback",
        "cusparseCsrGet", "cusparseSpMMOp", "cusparseScsrilu02_numericBoost",
        "cusolverRfBatchSetupHost", "cusolverDnGetStream",
        "curandCreatePoissonDistribution"}) {
    INFO(Name);
    CHECK(B.Table.lookup(Name) == nullptr);
  }
}
