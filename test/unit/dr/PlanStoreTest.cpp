//===- PlanStoreTest.cpp - The plan that belongs to a command -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan is found by what was started, and is not used when anything that can
// be known beforehand has changed.
//
//===----------------------------------------------------------------------===//
#include "Profile/PlanStore.h"
#include "Profile/Files.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace echo::drtool;
namespace fs = std::filesystem;

namespace {
/// A folder for plans and programs, gone afterwards.
struct Folder {
  fs::path Path =
      fs::temp_directory_path() / ("echo-plans-" + std::to_string(getpid()));
  Folder() {
    fs::create_directories(Path);
    setenv("ECHO_PLAN_DIR", (Path / "plans").c_str(), 1);
    write("app", "#!/bin/sh\n");
    write("dr.so", "library");
  }
  ~Folder() {
    unsetenv("ECHO_PLAN_DIR");
    fs::remove_all(Path);
  }
  std::string at(const char *Name) const { return (Path / Name).string(); }
  void write(const char *Name, const std::string &Text) const {
    REQUIRE(writeFile(at(Name), Text) == "");
  }
  Launch launch(std::vector<std::string> Arguments = {"a"}) const {
    return describeLaunch(at("app"), Arguments, at("dr.so"));
  }
};

Plan planFor(const Launch &L, bool Portable) {
  Plan P;
  noteLaunch(P.Context, L, Portable);
  P.Portable = Portable;
  return P;
}

void store(const Launch &L, const Plan &P) {
  REQUIRE(writeFile(planFile(L, P.Portable), planText(P)) == "");
}
} // namespace

TEST_CASE("a stored plan is found again") {
  Folder F;
  const Launch L = F.launch();
  CHECK(findPlan(L).File.empty());
  store(L, planFor(L, false));
  StoredPlan S = findPlan(L);
  REQUIRE(S.Found);
  CHECK(S.Why.empty());
  CHECK(findPlan(F.launch({"b"})).File.empty());
  CHECK(findPlan(F.launch({"a", ""})).File.empty());
  CHECK(listPlans(planFolder()).size() == 1);
}

TEST_CASE("a portable plan is for every machine, any other for its own") {
  Folder F;
  Launch L = F.launch();
  store(L, planFor(L, true));
  L.Host = "elsewhere";
  L.Machine ^= 1;
  REQUIRE(findPlan(L).Found);
  CHECK(findPlan(L).Why.empty());
  CHECK_FALSE(isOfMachine(*findPlan(L).Found, L));
  Plan Own = planFor(F.launch(), false);
  store(L, Own); // in the place of elsewhere's
  CHECK(findPlan(L).Why == "it is for the host " + F.launch().Host);
  L.Host = F.launch().Host;
  CHECK(findPlan(L).Why ==
        "it is for another machine of the name " + F.launch().Host);
  // Without numbers the names decide.
  L.Machine = Own.Context.Machine = 0;
  store(L, Own);
  CHECK(findPlan(L).Why.empty());
}

TEST_CASE("what has changed since is named") {
  Folder F;
  store(F.launch(), planFor(F.launch(), false));
  F.write("app", "#!/bin/bash\n");
  CHECK(findPlan(F.launch()).Why == F.at("app") + " has changed since");
  F.write("app", "#!/bin/sh\n");
  CHECK(findPlan(F.launch()).Why.empty());
  F.write("dr.so", "another library");
  CHECK(findPlan(F.launch()).Why == "it was made with another build of Echo");
  F.write("dr.so", "library");
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  const Launch L = F.launch();
  unsetenv("CUDA_VISIBLE_DEVICES");
  CHECK(findPlan(L).Why == "CUDA_VISIBLE_DEVICES was ''");
  CHECK(whyNotFor(planFor(L, false), L).empty());
  CHECK(whyNotFor(planFor(L, false), F.launch()) ==
        "CUDA_VISIBLE_DEVICES was '1'");
  Launch Newer = F.launch();
  Newer.Release = "999.1";
  CHECK(whyNotFor(planFor(F.launch(), false), Newer) ==
        "it was made with no GPU driver");
}

TEST_CASE("a plan is for one working folder") {
  Folder F;
  store(F.launch(), planFor(F.launch(), false));
  const fs::path Here = fs::current_path();
  fs::current_path(F.Path);
  const Launch There = F.launch();
  const StoredPlan S = findPlan(There);
  CHECK(S.Why == "it is for the folder " + Here.string());
  store(There, planFor(There, false)); // each has its own
  CHECK(findPlan(There).Why.empty());
  fs::current_path(Here);
  CHECK(findPlan(F.launch()).Why.empty());
  CHECK(listPlans(planFolder()).size() == 2);
}

TEST_CASE("each part of the key is compared") {
  Folder F;
  Plan P = planFor(F.launch(), false);
  setenv("PLAN_STORE_TEST", "1", 1);
  P.Context.Variables = {{"PLAN_STORE_TEST", 0}};
  P.Context.Files = {{F.at("input"), "argument", 1, 1}};
  F.write("app", "changed");
  std::string Wrong;
  for (const KeyPart &Part : compareKey(P, F.launch()))
    if (!Part.Problems.empty())
      Wrong += Part.Name + ": " + Part.Problems[0] + "\n";
  CHECK(Wrong == "program: " + F.at("app") +
                     " has changed since\nvariables: the environment variable "
                     "PLAN_STORE_TEST was not set\nfiles: " +
                     F.at("input") + " is not there any more\n");
  CHECK(compareKey(P, F.launch(), true).back().Name == "program");
  unsetenv("PLAN_STORE_TEST");
}

TEST_CASE("a script is a part of the program") {
  Folder F;
  F.write("app.py", "print(1)\n");
  const std::vector<std::string> Words = {"-u", F.at("app.py"), "x.txt"};
  const Launch L = F.launch(Words);
  CHECK(L.Script.Path == F.at("app.py"));
  store(L, planFor(L, false));
  CHECK(findPlan(F.launch(Words)).Why.empty());
  F.write("app.py", "print(2)\n");
  CHECK(findPlan(F.launch(Words)).Why == F.at("app.py") + " has changed since");
}

TEST_CASE("a torn plan is named and not used") {
  Folder F;
  const Launch L = F.launch();
  REQUIRE(writeFile(planFile(L, false), "{ \"echo\": ") == "");
  const StoredPlan S = findPlan(L);
  CHECK_FALSE(S.File.empty());
  CHECK_FALSE(S.Found);
  CHECK(S.Why == "its checksum is wrong: it is torn or was changed");
}

TEST_CASE("build-ids of files") {
  CHECK(buildIdOf("/proc/self/exe").size() >= 8);
  Folder F;
  CHECK(buildIdOf(F.at("app")).empty());
  CHECK(identityOf(F.at("app")) != 0);
  CHECK(identityOf(F.at("nothing")) == 0);
  // The beginning of an ELF file, cut anywhere.
  const std::string Whole =
      readFile(fs::read_symlink("/proc/self/exe").string()).value();
  for (size_t Size = 0; Size < 1024; Size += 7) {
    F.write("elf", Whole.substr(0, Size));
    const std::string Id = buildIdOf(F.at("elf"));
    CHECK((Id.empty() || Id == buildIdOf("/proc/self/exe")));
    CHECK((Size >= 64 || Id.empty()));
  }
}
