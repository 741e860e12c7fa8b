//===- NvccArchTest.cpp - GPU architectures of nvcc -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms of -arch, -code and -gencode, and what happens to architectures
// that the toolkit does not have.
//
//===----------------------------------------------------------------------===//
#include "Translate.h"

static const std::string Sm90 = "--offload-arch=sm_90 --cuda-include-ptx=sm_90";

TEST_CASE("-arch in all its spellings") {
  for (const char *Line :
       {"-arch=sm_90", "-arch sm_90", "--arch=sm_90", "-arch=compute_90",
        "--gpu-architecture=sm_90", "--gpu-architecture sm_90",
        "-gpu-architecture=sm_90", "-gencode arch=compute_90"}) {
    INFO(Line);
    CHECK(flags(Line) == Sm90);
  }
}

TEST_CASE("-code and -gencode name images and PTX one by one") {
  CHECK(flags("-arch=compute_80 -code=sm_80") == "--offload-arch=sm_80");
  CHECK(flags("-arch=compute_80 --gpu-code sm_80,sm_90,compute_90") ==
        "--offload-arch=sm_80 " + Sm90);
  for (const char *Line : {"-gencode arch=compute_80,code=sm_80",
                           "-gencode=arch=compute_80,code=sm_80",
                           "--generate-code=arch=compute_80,code=sm_80",
                           "--generate-code arch=compute_80,code=[sm_80]",
                           "-gencode arch=compute_80,code=\"sm_80\""}) {
    INFO(Line);
    CHECK(flags(Line) == "--offload-arch=sm_80");
  }
  CHECK(flags("-gencode arch=compute_90,code=[sm_90,compute_90]") == Sm90);
  CHECK(flags("-gencode=arch=compute_80,code=sm_80 "
              "-gencode=arch=compute_90,code=sm_90 "
              "-gencode=arch=compute_90,code=compute_90") ==
        "--offload-arch=sm_80 " + Sm90);
}

TEST_CASE("native, all and all-major") {
  CHECK(flags("-arch=native") == "--offload-arch=sm_87");
  auto None = full("-arch=native", {75, 121, nullptr});
  CHECK(None.Args.empty());
  REQUIRE(None.Notes.size() == 1);
  CHECK(None.Notes[0].find("no GPU") != std::string::npos);
  CHECK(flags("-arch=all-major") ==
        "--offload-arch=sm_75 --offload-arch=sm_80 --offload-arch=sm_90 "
        "--offload-arch=sm_100 --offload-arch=sm_110 --offload-arch=sm_120 "
        "--cuda-include-ptx=sm_120");
  CHECK(flags("-arch=all").find("sm_86") != std::string::npos);
  CHECK(flags("-arch=all").find("sm_70") == std::string::npos);
}

TEST_CASE("what the toolkit does not have becomes the nearest, with a note") {
  auto [Asked, Got] =
      GENERATE(table<std::string, std::string>({{"sm_60", "sm_75"},
                                                {"sm_13", "sm_75"},
                                                {"sm_72", "sm_75"},
                                                {"compute_53", "sm_75"},
                                                {"sm_82", "sm_80"},
                                                {"sm_101", "sm_110"},
                                                {"sm_100f", "sm_100"},
                                                {"sm_130", "sm_121"}}));
  auto Result = full("-arch=" + Asked);
  INFO(Asked);
  REQUIRE(Result.Notes.size() == 1);
  CHECK(Result.Notes[0].find(Asked + " is not supported") == 0);
  CHECK(Result.Notes[0].find("for " + Got) != std::string::npos);
  CHECK(flags("-arch=" + Asked).find("--offload-arch=" + Got + " ") == 0);
}

TEST_CASE("two old architectures become one image and two notes") {
  auto Result = full("-gencode arch=compute_60,code=sm_60 "
                     "-gencode arch=compute_61,code=sm_61");
  CHECK(Result.Notes.size() == 2);
  CHECK(flags("-gencode arch=compute_60,code=sm_60 "
              "-gencode arch=compute_61,code=sm_61") == "--offload-arch=sm_75");
}

TEST_CASE("older toolkits keep their architectures") {
  auto Result = full("-arch=sm_101", {50, 121, nullptr});
  CHECK(Result.Notes.empty());
  CHECK(Result.Args[1] == "--offload-arch=sm_101");
  CHECK(full("-arch=sm_60", {50, 90, nullptr}).Notes.empty());
  CHECK(full("-arch=sm_60", {0, 0, nullptr}).Notes.empty());
}

TEST_CASE("one architecture gets its code and its PTX") {
  CHECK(flags("-arch=sm_90a") ==
        "--offload-arch=sm_90a --cuda-include-ptx=sm_90a");
}

TEST_CASE("what is no architecture is refused") {
  CHECK(refusal("-arch=volta").find("'volta'") != std::string::npos);
  CHECK(refusal("-arch=sm_").find("no GPU architecture") != std::string::npos);
  CHECK(refusal("-gencode sm_80").find("must look like arch=") !=
        std::string::npos);
  CHECK(refusal("-gencode arch=compute_80,sm_80").find("must look like") !=
        std::string::npos);
  CHECK(refusal("-arch") == "argument to '-arch' is missing");
}
