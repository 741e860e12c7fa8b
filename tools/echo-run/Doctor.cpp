//===- Doctor.cpp - echo-run doctor ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Doctor.h. The profile is written beside its place and moved there, so
// that no program ever reads a part of it.
//
//===----------------------------------------------------------------------===//
#include "Doctor.h"
#include "Output.h"
#include "ProbeOutput.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace echo {

namespace fs = std::filesystem;

static std::string probeProgram(const std::string &Device) {
  std::error_code Error;
  fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  return (Self.parent_path().parent_path() / "lib" / "echo" /
          ("echo-probe-" + Device))
      .string();
}

static std::string version(const std::string &Number) {
  int N = std::atoi(Number.c_str());
  return N ? fmt::format("{}.{}", N / 1000, N % 1000 / 10) : "none";
}

static std::string size(uint64_t Bytes) {
  if (Bytes >= uint64_t(1) << 30)
    return fmt::format("{:.1f} GiB", double(Bytes) / (uint64_t(1) << 30));
  if (Bytes >= 1 << 20)
    return fmt::format("{} MiB", Bytes >> 20);
  return fmt::format("{} KiB", Bytes >> 10);
}

static void printFacts(const ProbeOutput &P) {
  auto Fact = [&](const char *Name) {
    auto It = P.Facts.find(Name);
    return It == P.Facts.end() ? std::string("?") : It->second;
  };
  show("device: {}, compute capability {}, {}\n", Fact("name"), Fact("compute"),
       size(std::strtoull(Fact("memory").c_str(), nullptr, 10)));
  if (Fact("devices") != "1")
    show("  the first of {} devices\n", Fact("devices"));
  show("versions: Echo {}, driver for CUDA {}, CUDA runtime {}\n", ECHO_VERSION,
       version(Fact("driver")), version(Fact("runtime")));
  show("attributes:\n");
  for (const auto &[Name, Value] : P.Attributes)
    show("  {:<40}{}\n", Name, Value);
}

static const char *meaning(const std::string &Backing) {
  if (Backing == "system")
    return "one block in system memory, which the GPU reaches by the host's "
           "page tables; copies go";
  if (Backing == "managed")
    return "one block in managed memory; copies go";
  if (Backing == "mapped")
    return "one block in pinned memory that both sides see; copies go";
  if (Backing == "pinned-split")
    return "two buffers, the host's pinned once its copies repeat; copies stay";
  return "two buffers and real copies, as the program is written";
}

static void printDecisions(const ProbeOutput &P) {
  show("what a pair gets (ECHO_BACKING decides otherwise):\n");
  for (const ProbeOutput::Decision &D : P.Decisions)
    show("  {:>8}, {:<38} {:<13} {}{}\n", size(D.Bytes),
         D.Quiescent ? "host and GPU take turns"
                     : "host may use it while the GPU works",
         D.Backing, meaning(D.Backing),
         D.Why.empty() ? "" : " (" + D.Why + ")");
}

static void printRow(const std::string &Head,
                     const std::map<std::string, uint64_t> &Times,
                     const char *Reference) {
  show("  {:<16}", Head);
  auto Base = Times.find(Reference);
  for (const auto &[Kind, Time] : Times)
    show("  {} {:.3f} ms{}", Kind, double(Time) / 1e6,
         Base == Times.end() || Kind == Reference
             ? ""
             : fmt::format(" ({:.2f}x)", double(Time) / double(Base->second)));
  show("\n");
}

static void printMeasured(const ProbeOutput &P) {
  show("one iteration (host writes, upload, kernel, download, host "
       "reads), fastest of 5:\n");
  for (const auto &[Bytes, Times] : P.Loops)
    printRow(size(Bytes), Times, "split");
  show("kernels by the memory that they use, fastest of 5:\n");
  for (const auto &[Probe, Times] : P.Accesses) {
    const auto &[Name, X] = Probe;
    bool IsSize =
        Name == "read" || Name == "write" || Name == "update" || Name == "size";
    printRow(Name + " " + (IsSize ? size(X) : std::to_string(X)), Times,
             "explicit");
  }
  show("copies between pageable memory and the device, median of 5, as "
       "'echo-cc --estimate=FILE' reads them:\n");
  for (const CopyTime &Copy : P.Copies)
    show("  {:<32}# {}, {:.2f} GB/s\n", toText(Copy), size(Copy.Bytes),
         Copy.rate());
}

static int keepProfile(const ProbeOutput &P) {
  auto Path = P.Facts.find("profile");
  if (Path == P.Facts.end()) {
    say("error: no place for the profile: set ECHO_PROFILE_DIR, "
        "XDG_CACHE_HOME or HOME");
    return 1;
  }
  fs::path Place = Path->second;
  std::string New = fmt::format("{}.{}", Place.string(), getpid());
  std::error_code Error;
  fs::create_directories(Place.parent_path(), Error);
  {
    std::ofstream File(New);
    File << profileText(P) << std::flush;
    if (!File)
      Error = std::make_error_code(std::errc::io_error);
  }
  if (!Error)
    fs::rename(New, Place, Error);
  if (Error) {
    std::error_code Ignored;
    fs::remove(New, Ignored);
    say(fmt::format("error: cannot write {}: {}", Place.string(),
                    Error.message()));
    return 1;
  }
  show("profile written: {}\n", Place.string());
  return 0;
}

int runDoctor(const DoctorOptions &Options,
              const std::vector<std::string> &Words) {
  if (!Words.empty())
    return explainPlan(Words);
  std::string Program = probeProgram(Options.Device);
  if (access(Program.c_str(), X_OK) != 0) {
    show("no answer: {} is not there; Echo was built without a CUDA "
         "toolkit\n",
         Program);
    return 0;
  }
  uint64_t Most = Options.MostBytes;
  if (!Most)
    Most = uint64_t(Options.Device == "cpu" ? 4 : 64) << 20;
  ProbeOutput P = runProbe(Program, Options.Probe ? Most : 0);
  if (!P.Facts.count("device")) {
    show("no usable GPU: {}\nProgram as written: every pair is split. "
         "'echo-run doctor --device cpu' asks the CPU device.\n",
         P.Error);
    return 0;
  }
  printFacts(P);
  printDecisions(P);
  if (!P.Error.empty()) {
    say("error: " + P.Error);
    return 1;
  }
  if (!Options.Probe) {
    auto Used = P.Facts.find("profile-used");
    show("profile: {}\n",
         Used != P.Facts.end() && Used->second == "1"
             ? P.Facts["profile"]
             : "none; 'echo-run doctor --probe' measures this device");
    return 0;
  }
  printMeasured(P);
  return keepProfile(P);
}

} // namespace echo
