//===- LinkUnitTest.cpp - What travels with a unit to the link ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options survive the way through text; units are taken together so that none
// of them gets more than it asked for; text that is not Echo's is an error.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/LinkUnit.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <catch2/catch.hpp>

using namespace echo;

static HostOptions unit(const char *Source) {
  HostOptions O;
  O.Source = Source;
  O.ModelFiles = {"/models/libc.model"};
  return O;
}

TEST_CASE("options survive as text") {
  HostOptions O = unit("a.cu");
  O.ReportText = "/tmp/\"pairs\".txt";
  O.MinBytes = 7;
  O.Unify = false;
  O.Repair = O.PerThreadDefaultStream = O.Estimate = true;
  O.Rates = "/rates";
  O.Run = "/run";
  O.AssumeFiles = {"/pairs"};
  O.AssumedScopes = {"1,2,1,1,h,d,a.cu"};
  auto Read = hostOptionsFromText(toText(O));
  REQUIRE(bool(Read));
  CHECK(Read->Source == O.Source);
  CHECK(Read->ReportText == O.ReportText);
  CHECK(Read->ModelFiles == O.ModelFiles);
  CHECK(Read->MinBytes == 7);
  CHECK(!Read->Unify);
  CHECK(Read->Repair);
  CHECK(Read->Estimate);
  CHECK(Read->Rates == "/rates");
  CHECK(Read->Run == "/run");
  CHECK(Read->AssumeFiles == O.AssumeFiles);
  CHECK(Read->AssumedScopes == O.AssumedScopes);
  CHECK(Read->PerThreadDefaultStream);
}

TEST_CASE("file names become absolute") {
  HostOptions O = unit("a.cu");
  O.ReportJson = "pairs.json";
  O.Rates = "rates";
  O.Run = "run";
  auto Read = hostOptionsFromText(toText(O));
  REQUIRE(bool(Read));
  CHECK(Read->ReportJson.front() == '/');
  CHECK(Read->Rates.front() == '/');
  CHECK(Read->Run.front() == '/');
  CHECK(Read->Source == "a.cu");
}

TEST_CASE("what is not Echo's is an error") {
  std::string Good = toText(unit("a.cu"));
  for (size_t I = 0; I + 1 < Good.size(); ++I) {
    auto Read = hostOptionsFromText(llvm::StringRef(Good).take_front(I));
    CHECK(!Read);
    llvm::consumeError(Read.takeError());
  }
  std::string Other = Good;
  Other.replace(Other.find(ECHO_VERSION), 1, "9");
  auto Read = hostOptionsFromText(Other);
  REQUIRE(!Read);
  CHECK(llvm::toString(Read.takeError()).find("a.cu") != std::string::npos);
}

TEST_CASE("units are taken together") {
  llvm::LLVMContext C;
  llvm::Module M("linked", C);
  auto None = gatherUnits(M, HostOptions());
  REQUIRE(bool(None));
  CHECK(!*None);

  HostOptions A = unit("a.cu"), B = unit("b.cu");
  A.ReportText = B.ReportText = "/r";
  B.ReportJson = "/j";
  A.MinBytes = 10;
  B.MinBytes = 20;
  B.ModelFiles.push_back("/models/own.model");
  B.Estimate = true;
  B.Rates = "/rates";
  B.Run = "/run";
  prepareForLink(M, A, KernelFactsTable());
  prepareForLink(M, B, KernelFactsTable());
  SECTION("as the units say") {
    auto L = gatherUnits(M, HostOptions());
    REQUIRE(bool(L));
    REQUIRE(*L);
    CHECK((*L)->Options.MinBytes == 20);
    CHECK((*L)->Options.ModelFiles.size() == 2);
    CHECK((*L)->ReportsText == std::vector<std::string>{"/r"});
    CHECK((*L)->ReportsJson == std::vector<std::string>{"/j"});
    CHECK((*L)->Options.Unify);
    CHECK((*L)->Options.Estimate);
    CHECK((*L)->Options.Rates == "/rates");
    CHECK((*L)->Options.Run == "/run");
  }
  SECTION("as the link says") {
    HostOptions Link;
    Link.MinBytes = 1;
    Link.ReportText = "/own";
    Link.Rates = "/measured";
    auto L = gatherUnits(M, Link);
    REQUIRE(bool(L));
    CHECK((*L)->Options.MinBytes == 1);
    CHECK((*L)->ReportsText == std::vector<std::string>{"/own"});
    CHECK((*L)->Options.Rates == "/measured");
  }
  SECTION("one that must stay as it is keeps all") {
    HostOptions Plain = unit("c.cu");
    Plain.Unify = false;
    prepareForLink(M, Plain, KernelFactsTable());
    auto L = gatherUnits(M, HostOptions());
    REQUIRE(bool(L));
    CHECK(!(*L)->Options.Unify);
  }
  SECTION("two kinds of default stream are an error") {
    HostOptions Other = unit("c.cu");
    Other.PerThreadDefaultStream = true;
    prepareForLink(M, Other, KernelFactsTable());
    auto L = gatherUnits(M, HostOptions());
    REQUIRE(!L);
    CHECK(llvm::toString(L.takeError()).find("c.cu") != std::string::npos);
  }
}
