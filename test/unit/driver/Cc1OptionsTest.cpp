//===- Cc1OptionsTest.cpp - What the driver tells a job -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every setting arrives in the job as the driver sent it.
//
//===----------------------------------------------------------------------===//
#include "catch2/catch.hpp"
#include "cc1/Cc1.h"

using namespace echo;

static Cc1Options roundTrip(const Cc1Options &O) {
  std::vector<std::string> Words = O.toArgs();
  std::vector<const char *> Args;
  for (const std::string &Word : Words)
    Args.push_back(Word.c_str());
  Args.push_back("-triple");
  llvm::ArrayRef<const char *> Rest = Args;
  llvm::Expected<Cc1Options> Back = Cc1Options::parse(Rest);
  REQUIRE(bool(Back));
  REQUIRE(Rest.size() == 1);
  return *Back;
}

TEST_CASE("a host job's settings arrive", "[cc1]") {
  Cc1Options O;
  O.Host.Source = "a b=c.cu";
  O.FactsIn = {"/tmp/1", "/tmp/2"};
  O.Host.KernelFactsFile = "/tmp/3";
  O.Host.ReportText = "r.txt";
  O.Host.ReportJson = "r.json";
  O.Host.ModelFiles = {"m1", "m2"};
  O.Host.MinBytes = 0;
  O.Host.Unify = false;
  O.Host.PerThreadDefaultStream = true;
  O.Cpu.DeviceBitcode = "d.bc";
  O.Cpu.DeviceLibrary = "l.bc";
  O.Cpu.RelocatableDeviceCode = true;
  Cc1Options Back = roundTrip(O);
  CHECK_FALSE(Back.isDevice());
  CHECK(Back.toArgs() == O.toArgs());
  CHECK(Back.Host.Source == "a b=c.cu");
  CHECK(Back.Host.MinBytes == 0);
  CHECK(Back.FactsIn == O.FactsIn);
  CHECK(Back.Host.ModelFiles == O.Host.ModelFiles);
  CHECK(Back.Cpu.RelocatableDeviceCode);
}

TEST_CASE("a device job and a default host job", "[cc1]") {
  Cc1Options O;
  O.FactsOut = "/tmp/f";
  CHECK(roundTrip(O).isDevice());
  Cc1Options Plain;
  Plain.Host.Source = "a.cu";
  Cc1Options Back = roundTrip(Plain);
  CHECK(Back.Host.Unify);
  CHECK(Back.Host.MinBytes == DefaultMinBytes);
}

TEST_CASE("an unknown setting is an error", "[cc1]") {
  const char *Args[] = {"--echo-speed=9"};
  llvm::ArrayRef<const char *> Rest = Args;
  llvm::Expected<Cc1Options> O = Cc1Options::parse(Rest);
  REQUIRE_FALSE(bool(O));
  CHECK(llvm::toString(O.takeError()) ==
        "unknown argument '--echo-speed=9' of -cc1");
}
