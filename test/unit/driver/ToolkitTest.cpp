//===- ToolkitTest.cpp - Which CUDA toolkit is found ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Toolkits made of the few files that are read.
//
//===----------------------------------------------------------------------===//
#include "driver/Toolkit.h"
#include "catch2/catch.hpp"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace echo;
using namespace llvm;

namespace {
/// A folder that goes away with the test.
struct Folder {
  SmallString<128> Path;
  Folder() { sys::fs::createUniqueDirectory("echo-toolkit", Path); }
  ~Folder() { sys::fs::remove_directories(Path); }
  void write(const Twine &Name, StringRef Text) {
    std::string File = (Path + "/" + Name).str();
    sys::fs::create_directories(sys::path::parent_path(File));
    std::error_code EC;
    raw_fd_ostream(File, EC) << Text;
  }
};
} // namespace

TEST_CASE("version and folders are read", "[toolkit]") {
  Folder F;
  F.write("include/cuda.h", "/* x */\n#define CUDA_VERSION 12040\n");
  F.write("lib64/libcudart_static.a", "");
  F.write("version.json",
          "{\"cuda_nvcc\" : { \"name\": \"x\", \"version\" : \"12.4.131\" } }");
  auto T = readToolkit(F.Path);
  REQUIRE(T);
  CHECK(T->versionText() == "12.4");
  CHECK(T->Build == 131);
  CHECK(T->LibDir == std::string(F.Path) + "/lib64");
  CHECK(T->CcclDir.empty());
  CHECK(T->MinArch == 50);
  CHECK(T->MaxArch == 90);
  CHECK(defaultArch(*T) == "sm_52");
}

TEST_CASE("CUDA 13 starts at sm_75 and has cccl", "[toolkit]") {
  Folder F;
  F.write("include/cuda.h", "#define CUDA_VERSION 13000\n");
  F.write("include/cccl/thrust/version.h", "");
  auto T = readToolkit(F.Path);
  REQUIRE(T);
  CHECK(defaultArch(*T) == "sm_75");
  CHECK(T->CcclDir == std::string(F.Path) + "/include/cccl");
}

TEST_CASE("another processor has libraries of its own", "[toolkit]") {
  Folder F;
  F.write("include/cuda.h", "#define CUDA_VERSION 12060\n");
  F.write("lib64/libcudart_static.a", "");
  auto T = readToolkit(F.Path);
  REQUIRE(T);
  CHECK(crossLibDir(*T, "aarch64").empty());
  F.write("targets/sbsa-linux/lib/libcudart_static.a", "");
  CHECK(crossLibDir(*T, "aarch64") ==
        std::string(F.Path) + "/targets/sbsa-linux/lib");
  F.write("targets/aarch64-linux/lib/libcudart_static.a", "");
  CHECK(crossLibDir(*T, "aarch64") ==
        std::string(F.Path) + "/targets/aarch64-linux/lib");
  CHECK(crossLibDir(*T, "riscv64").empty());
}

TEST_CASE("a folder without a version is no toolkit", "[toolkit]") {
  Folder F;
  CHECK_FALSE(readToolkit(F.Path));
  F.write("include/cuda.h", "#define CUDA_VERSION\n");
  CHECK_FALSE(readToolkit(F.Path));
}

TEST_CASE("a named place without a toolkit is an error", "[toolkit]") {
  Folder F;
  auto Named = findToolkit(F.Path);
  REQUIRE_FALSE(bool(Named));
  CHECK(toString(Named.takeError()).find("named by --cuda-path") !=
        std::string::npos);
  const char *Old = getenv("CUDA_HOME");
  std::string Saved = Old ? Old : "";
  setenv("CUDA_HOME", F.Path.c_str(), 1);
  auto ByVariable = findToolkit("");
  CHECK_FALSE(bool(ByVariable));
  if (!ByVariable)
    CHECK(toString(ByVariable.takeError()).find("named by CUDA_HOME") !=
          std::string::npos);
  if (Old)
    setenv("CUDA_HOME", Saved.c_str(), 1);
  else
    unsetenv("CUDA_HOME");
}

TEST_CASE("no tool to ask means no GPU", "[toolkit]") {
  CHECK(nativeArchs("/nonexistent/nvptx-arch").empty());
}
