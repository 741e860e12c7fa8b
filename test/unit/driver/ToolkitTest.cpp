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

namespace {
/// Takes the variables that name a toolkit away until it ends.
struct NoVariables {
  std::vector<std::pair<std::string, std::string>> Saved;
  NoVariables() {
    for (const char *Name : {"CUDA_HOME", "CUDA_PATH"})
      if (const char *Value = getenv(Name)) {
        Saved.emplace_back(Name, Value);
        unsetenv(Name);
      }
  }
  ~NoVariables() {
    for (const auto &[Name, Value] : Saved)
      setenv(Name.c_str(), Value.c_str(), 1);
  }
};

} // namespace

TEST_CASE("the toolkit around the called program is found", "[toolkit]") {
  Folder F;
  F.write("include/cuda.h", "#define CUDA_VERSION 12060\n");
  F.write("nvvm/libdevice/libdevice.10.bc", "");
  F.write("bin/nvcc", "");
  const std::string Called = (F.Path + "/bin/nvcc").str();
  NoVariables None;
  auto Around = findToolkit("", Called);
  REQUIRE(bool(Around));
  CHECK(Around->Path == std::string(F.Path));
  CHECK(Around->FoundBy == Called);
  // A name that is looked up in PATH.
  const std::string Path = getenv("PATH");
  setenv("PATH", (F.Path + "/bin").str().c_str(), 1);
  sys::fs::setPermissions(Called, sys::fs::all_all);
  auto ByName = findToolkit("", "nvcc");
  setenv("PATH", Path.c_str(), 1);
  REQUIRE(bool(ByName));
  CHECK(ByName->Path == std::string(F.Path));
  // What the user names comes first.
  Folder Other;
  Other.write("include/cuda.h", "#define CUDA_VERSION 12040\n");
  auto Named = findToolkit(Other.Path, Called);
  REQUIRE(bool(Named));
  CHECK(Named->Path == std::string(Other.Path));
}

TEST_CASE("headers around the called program are no toolkit", "[toolkit]") {
  Folder F;
  F.write("include/cuda.h", "#define CUDA_VERSION 12060\n");
  F.write("bin/nvcc", "");
  NoVariables None;
  auto NoDevice = findToolkit("", (F.Path + "/bin/nvcc").str());
  REQUIRE(bool(NoDevice));
  CHECK_FALSE(NoDevice->Path == std::string(F.Path));
  F.write("nvvm/libdevice/libdevice.10.bc", "");
  F.write("tools/nvcc", "");
  auto NotInBin = findToolkit("", (F.Path + "/tools/nvcc").str());
  REQUIRE(bool(NotInBin));
  CHECK_FALSE(NotInBin->Path == std::string(F.Path));
}

TEST_CASE("no tool to ask means no GPU", "[toolkit]") {
  CHECK(nativeArchs("/nonexistent/nvptx-arch").empty());
}
