//===- FlagsTest.cpp - What a compile command gives the survey ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders, macros and the language's version stay, what only nvcc knows goes.
//
//===----------------------------------------------------------------------===//
#include "parse/Compile.h"
#include "parse/Sources.h"
#include <catch2/catch.hpp>

using namespace echo::survey;
using Words = std::vector<std::string>;

TEST_CASE("folders and macros are kept, nvcc's flags are not") {
  CHECK(keptFlags({"nvcc", "-arch=sm_80", "-Ia", "-I", "b", "-DX=1", "-D", "Y",
                   "-Xcompiler", "-Wall", "-isystem", "c", "-c", "x.cu"}) ==
        Words{"-Ia", "-Ib", "-DX=1", "-DY", "-isystem", "c"});
  CHECK(keptFlags({"-std=c++20"}) == Words{"-std=c++20"});
  CHECK(keptFlags({"--std", "c++14"}) == Words{"-std=c++14"});
  CHECK(keptFlags({"--std=c++03", "-I"}).empty());
}

TEST_CASE("files of CUDA are known by their text") {
  CHECK(looksLikeCudaHost("#include <cuda_runtime.h>"));
  CHECK(looksLikeCudaHost("cudaMalloc(&p, 4)"));
  CHECK_FALSE(looksLikeCudaHost("hipMalloc(&p, 4)"));
  CHECK(looksAllocating("p = malloc(4)"));
  CHECK_FALSE(looksAllocating("free(p)"));
}

TEST_CASE("pairs of a report are counted by verdict") {
  Compiled C;
  CHECK(readReport(R"({"units": [{"pairs": [{"verdict": "unified"},
    {"verdict": "guarded"}, {"verdict": "declined", "id": "x"},
    {"verdict": "declined", "id": "x"}, {"verdict": "skipped"}]}]})",
                   C));
  CHECK(C.Analyzed == 5);
  CHECK(C.Merged == 1);
  CHECK(C.Guarded == 1);
  CHECK(C.Skipped == 1);
  CHECK(C.Reasons == std::map<std::string, unsigned>{{"x", 2}});
  CHECK_FALSE(readReport("{}", C));
  CHECK_FALSE(readReport("no JSON", C));
}
