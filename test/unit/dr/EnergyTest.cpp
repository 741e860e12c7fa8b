//===- EnergyTest.cpp - What iterations cost in joules --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readings and what follows from them, with counters that are exact.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/EnergyMeter.h"
#include "Profile/Report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace echo::drtool;
using namespace echo::dr;

/// \p Count readings, one each \p Step nanoseconds, of 100 W.
static std::vector<EnergyReading> steady(uint64_t From, uint64_t Step,
                                         unsigned Count) {
  std::vector<EnergyReading> Out;
  for (unsigned I = 0; I < Count; ++I)
    Out.push_back({From + I * Step, 7 + 100 * 1e3 * double(I * Step) / 1e9});
  return Out;
}

TEST_CASE("a file of readings is read as it was written") {
  const EnergyLog Log = {{"board", {{5, 1.5}}}, {"ab-01", {{1, 2}, {3, 4.25}}}};
  const EnergyLog Read = parseEnergy(energyText(Log));
  REQUIRE(Read.size() == 2);
  REQUIRE(Read.at("ab-01").size() == 2);
  CHECK(Read.at("ab-01")[1].Ns == 3);
  CHECK(Read.at("ab-01")[1].Millijoules == 4.25);
  CHECK(Read.at("board")[0].Millijoules == 1.5);
}

TEST_CASE("lines that are no readings, or go back, are left out") {
  const EnergyLog Log =
      parseEnergy("energy a 1 2\nenergy a\nenergy a 2 nan\nother a 3 3\n"
                  "energy a 3 3 3\nenergy a 1 9\nenergy a 4 1\nenergy a 5 6\n");
  REQUIRE(Log.size() == 1);
  REQUIRE(Log.at("a").size() == 2);
  CHECK(Log.at("a")[1].Ns == 5);
  CHECK(parseEnergy(std::string("\0\xff\n energy", 9)).empty());
}

TEST_CASE("joules are those between the two times") {
  const auto R = steady(1000, 50000000, 21); // a second
  CHECK(*joulesBetween(R, 1000 + 25000000, 1000 + 625000000) == Approx(60));
  CHECK(*joulesBetween(R, 1000 + 50000000, 1000 + 950000000) == Approx(90));
  CHECK_FALSE(joulesBetween(R, 500, 1000 + 700000000));   // begins before
  CHECK_FALSE(joulesBetween(R, 2000, 1000 + 1000000001)); // ends after
  CHECK_FALSE(
      joulesBetween(R, 1000 + 25000000, 1000 + 475000000)); // 9 readings
  CHECK_FALSE(joulesBetween({}, 0, 1));
}

/// A loop of six iterations on \p Uuid.
static std::vector<Trace> loop(const char *Uuid) {
  constexpr uint64_t H = 0x10000000, D = 0x70000000, Size = 1 << 20;
  TraceText T;
  T.hostAlloc(H, Size, 1).deviceAlloc(D, Size, 2);
  for (int I = 0; I < 6; ++I) {
    T.copy(CopyH2D, D, H, Size, 3, 0, 4000);
    T.launch();
    T.add(Record::SyncDevice);
  }
  std::vector<Trace> Out = {T.trace()};
  Out[0].Uuid = Uuid;
  return Out;
}

TEST_CASE("an iteration has the energy of its own device, or of the board") {
  const std::vector<Trace> Traces = loop("ab-01");
  const Analysis Plain = analyze(Traces);
  const Loop &L = Plain.Iterations;
  REQUIRE(L.SteadyCount > 0);
  const uint64_t Step = (L.Until - L.From) / 12;
  const auto R = steady(L.From - Step, Step, 16);
  const double Joules = 100 * L.period() / 1e9;
  const auto With = [&](const EnergyLog &Log) {
    Analysis A = Plain;
    addEnergy(A, Traces, Log);
    return A;
  };
  const Analysis Gpu = With({{"ab-01", R}, {"ab-02", steady(0, 1, 99)}});
  REQUIRE(Gpu.Joules);
  CHECK(*Gpu.Joules == Approx(Joules));
  CHECK_FALSE(Gpu.JoulesOfBoard);
  CHECK(reportText(Gpu, Traces).find("\nenergy: ") != std::string::npos);
  CHECK(reportText(Gpu, Traces).find(" J an iteration, of the whole GPU\n") !=
        std::string::npos);
  CHECK(reportHtml(Gpu, Traces).find("<p>Energy: ") != std::string::npos);
  const auto Json = nlohmann::json::parse(reportJson(Gpu, Traces));
  CHECK(Json["loop"]["energy"]["joules"] == *Gpu.Joules);
  CHECK(With({{Board, R}}).JoulesOfBoard);
  CHECK_FALSE(With({{"ab-02", R}}).Joules); // another GPU's
  CHECK(reportText(Plain, Traces).find("energy") == std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(reportJson(Plain, Traces))["loop"].contains(
      "energy"));
}

TEST_CASE("a GPU's counter is read at the start and at the end") {
  EnergyMeter Meter(ECHO_FAKE_NVML, "/nowhere");
  const EnergyLog Log = Meter.stop();
  REQUIRE(Log.size() == 1); // the others have no counter
  REQUIRE(Log.at("aaaa-01").size() >= 2);
  CHECK(Log.at("aaaa-01")[0].Millijoules == 1500);
  CHECK(Log.at("aaaa-01")[1].Millijoules == 2000);
}

TEST_CASE("the power of a board's rails is summed up") {
  namespace fs = std::filesystem;
  const fs::path Sys =
      fs::temp_directory_path() / ("echo-sys-" + std::to_string(getpid()));
  const fs::path At = Sys / "bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3";
  fs::create_directories(At);
  const auto Rail = [&](const char *Number, const char *Label, int Milliamps) {
    std::ofstream(At / (std::string("in") + Number + "_label"))
        << Label << "\n";
    std::ofstream(At / (std::string("in") + Number + "_input")) << "5000\n";
    std::ofstream(At / (std::string("curr") + Number + "_input"))
        << Milliamps << "\n";
  };
  Rail("1", "VDD_GPU_SOC", 1000);
  Rail("2", "VDD_CPU_CV", 200);
  Rail("3", "NC", 9999);
  Rail("7", "Sum of shunt voltages", 9999);
  EnergyMeter Meter("libecho-no-such-library.so", Sys);
  usleep(1000);
  const EnergyLog Log = Meter.stop();
  REQUIRE(Log.count(Board) == 1);
  const std::vector<EnergyReading> &All = Log.at(Board);
  REQUIRE(All.size() >= 2);
  const double Watts = (All.back().Millijoules - All[0].Millijoules) * 1e6 /
                       double(All.back().Ns - All[0].Ns);
  CHECK(Watts == Approx(6));
  fs::remove_all(Sys);
  EnergyMeter None("libecho-no-such-library.so", "/nowhere");
  CHECK(None.stop().empty());
}
