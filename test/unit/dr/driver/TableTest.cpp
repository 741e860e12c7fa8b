//===- TableTest.cpp - Look-ups in the table of driver calls --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/driver/DriverTable.h"
#include "runtime/dr/driver/Resolve.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace echo::dr;

TEST_CASE("each entry is found by its exported name and has its own wrapper") {
  std::set<void *> Wrappers;
  for (unsigned Row = 0; Row != NumDriverRows; ++Row)
    for (bool PerThread : {false, true}) {
      if (PerThread && DriverRows[Row].Suffix == Variant::none)
        continue;
      char Name[96];
      DriverEntry Entry{Row, PerThread};
      INFO(driverSymbol(Entry, Name, sizeof Name));
      DriverEntry Found = driverEntryBySymbol(Name);
      CHECK(Found.Row == Row);
      CHECK(Found.PerThread == PerThread);
      REQUIRE(driverWrapper(Entry));
      CHECK(Wrappers.insert(driverWrapper(Entry)).second);
    }
}

TEST_CASE("no two rows mean the same name and version") {
  std::set<std::pair<std::string, int>> Seen;
  for (const DriverRow &R : DriverRows)
    CHECK(Seen.insert({R.Base, R.Version}).second);
}

TEST_CASE("a look-up gets the newest row that its version has") {
  CHECK(driverEntryByProc("cuMemAlloc", 2000, false).Row == Driver_cuMemAlloc);
  CHECK(driverEntryByProc("cuMemAlloc", 3010, false).Row == Driver_cuMemAlloc);
  CHECK(driverEntryByProc("cuMemAlloc", 3020, false).Row ==
        Driver_cuMemAlloc_v2);
  CHECK(driverEntryByProc("cuMemAlloc", 99000, false).Row ==
        Driver_cuMemAlloc_v2);
  CHECK_FALSE(driverEntryByProc("cuMemAllocAsync", 11010, false));
  CHECK_FALSE(driverEntryByProc("cuInit", 13000, false));
  CHECK_FALSE(driverEntryByProc("", 13000, false));
  CHECK_FALSE(driverEntryByProc("cuMemcpyHtoD", 4000, true).PerThread);
  CHECK(driverEntryByProc("cuMemcpyHtoD", 7000, true).PerThread);
  CHECK_FALSE(driverEntryByProc("cuMemFree", 13000, true).PerThread);
}

TEST_CASE("a suffix is one only where the row has that variant") {
  CHECK(driverEntryBySymbol("cuMemcpyHtoD_v2_ptds").PerThread);
  CHECK_FALSE(driverEntryBySymbol("cuMemcpyHtoD_v2_ptsz"));
  CHECK_FALSE(driverEntryBySymbol("cuMemFree_v2_ptds"));
  CHECK_FALSE(driverEntryBySymbol("_ptds"));
}

TEST_CASE("rows that make buffers drop out say why, and others do not") {
  for (const DriverRow &R : DriverRows) {
    INFO(R.Symbol);
    const bool Drops =
        R.Kind == DriverKind::Mark || R.Kind == DriverKind::MarkAll ||
        R.Kind == DriverKind::Born || R.Kind == DriverKind::Inspect ||
        R.Kind == DriverKind::CopyShape || R.Kind == DriverKind::CopyShapeAsync;
    CHECK((R.Why != Reason::None) == Drops);
  }
}
