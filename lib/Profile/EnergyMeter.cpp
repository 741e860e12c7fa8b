//===- EnergyMeter.cpp - Reads energy counters beside a program -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML is loaded when it is asked, so that echo-run needs no driver. Rails are
// found as the Jetson's documents say: the seventh channel of a sensor is the
// sum of the others, and "NC" is connected to nothing.
//
//===----------------------------------------------------------------------===//
#include "Profile/EnergyMeter.h"
#include "Profile/QuietThread.h"
#include "runtime/abi/FileHash.h"

#include <dlfcn.h>
#include <time.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

namespace echo::drtool {

namespace fs = std::filesystem;

static constexpr auto Pause = std::chrono::milliseconds(50);

/// CLOCK_MONOTONIC, as in traces.
static uint64_t nowNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return dr::nanoseconds(Now);
}

namespace {
/// The energy counters of all GPUs of the machine.
class Nvml {
public:
  explicit Nvml(const std::string &Name)
      : Library(dlopen(Name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    int (*Init)() = nullptr;
    int (*Count)(unsigned *) = nullptr;
    int (*ByIndex)(unsigned, void **) = nullptr;
    int (*UuidOf)(void *, char *, unsigned) = nullptr;
    if (!find("nvmlInit_v2", Init) || !find("nvmlDeviceGetCount_v2", Count) ||
        !find("nvmlDeviceGetHandleByIndex_v2", ByIndex) ||
        !find("nvmlDeviceGetUUID", UuidOf) ||
        !find("nvmlDeviceGetTotalEnergyConsumption", Total) || Init() != 0)
      return;
    Started = true;
    unsigned Number = 0;
    if (Count(&Number) != 0)
      return;
    for (unsigned I = 0; I < Number; ++I) {
      void *Device = nullptr;
      char Uuid[96] = {};
      if (ByIndex(I, &Device) != 0 || UuidOf(Device, Uuid, sizeof Uuid) != 0)
        continue;
      const std::string Text = Uuid;
      if (Text.rfind("GPU-", 0) == 0)
        Devices.emplace_back(Text.substr(4), Device);
    }
  }
  ~Nvml() {
    int (*Shutdown)() = nullptr;
    if (Started && find("nvmlShutdown", Shutdown))
      Shutdown();
    // It stays loaded: it may have threads.
  }
  Nvml(const Nvml &) = delete;
  Nvml &operator=(const Nvml &) = delete;

  void read(EnergyLog &Log) const {
    for (const auto &[Uuid, Device] : Devices) {
      unsigned long long Millijoules = 0;
      const uint64_t Ns = nowNs();
      if (Total(Device, &Millijoules) == 0)
        Log[Uuid].push_back({Ns, double(Millijoules)});
    }
  }
  bool any() const { return !Devices.empty(); }

private:
  template <class F> bool find(const char *Name, F &Function) const {
    Function = Library ? reinterpret_cast<F>(dlsym(Library, Name)) : nullptr;
    return Function;
  }

  void *Library;
  bool Started = false;
  int (*Total)(void *, unsigned long long *) = nullptr;
  std::vector<std::pair<std::string, void *>> Devices;
};

/// The rails of a board.
class Ina3221 {
public:
  explicit Ina3221(const std::string &Sys) {
    std::error_code Error;
    for (const auto &Sensor :
         fs::directory_iterator(Sys + "/bus/i2c/drivers/ina3221", Error))
      for (const auto &Monitor :
           fs::directory_iterator(Sensor.path() / "hwmon", Error))
        for (unsigned I = 1; I < SumOfAll; ++I)
          add(Monitor.path(), std::to_string(I));
    LastNs = nowNs();
  }
  bool any() const { return !Rails.empty(); }

  void read(EnergyLog &Log) {
    double Milliwatts = 0;
    const uint64_t Now = nowNs();
    for (const auto &[Volt, Ampere] : Rails) {
      double MilliVolt = 0, MilliAmpere = 0;
      if (!(std::ifstream(Volt) >> MilliVolt) ||
          !(std::ifstream(Ampere) >> MilliAmpere))
        return;
      Milliwatts += MilliVolt * MilliAmpere / 1000;
    }
    Millijoules += Milliwatts * double(Now - LastNs) / 1e9;
    LastNs = Now;
    Log[Board].push_back({Now, Millijoules});
  }

private:
  static constexpr unsigned SumOfAll = 7;

  void add(const fs::path &Folder, const std::string &Number) {
    std::string Label;
    const fs::path Volt = Folder / ("in" + Number + "_input"),
                   Ampere = Folder / ("curr" + Number + "_input");
    std::error_code Error;
    if (std::ifstream(Folder / ("in" + Number + "_label")) >> Label &&
        Label != "NC" && fs::exists(Volt, Error) && fs::exists(Ampere, Error))
      Rails.emplace_back(Volt, Ampere);
  }

  std::vector<std::pair<fs::path, fs::path>> Rails;
  uint64_t LastNs = 0;
  double Millijoules = 0;
};
} // namespace

class EnergyMeter::Sampler {
public:
  Sampler(const std::string &Library, const std::string &Sys)
      : Gpus(Library), Rails(Sys) {
    if (Gpus.any() || Rails.any())
      Thread = quietThread([this] { run(); });
  }
  ~Sampler() { (void)stop(); }
  Sampler(const Sampler &) = delete;
  Sampler &operator=(const Sampler &) = delete;

  EnergyLog stop() {
    {
      const std::lock_guard<std::mutex> Guard(Lock);
      Ends = true;
    }
    Changed.notify_all();
    if (Thread.joinable())
      Thread.join();
    return std::move(Log);
  }

private:
  void read() {
    if (Gpus.any())
      Gpus.read(Log);
    else
      Rails.read(Log);
  }
  void run() {
    std::unique_lock<std::mutex> Guard(Lock);
    do
      read();
    while (!Changed.wait_for(Guard, Pause, [this] { return Ends; }));
    read();
  }

  Nvml Gpus;
  Ina3221 Rails;
  EnergyLog Log;
  std::mutex Lock; ///< of all below
  std::condition_variable Changed;
  bool Ends = false;
  std::thread Thread;
};

EnergyMeter::EnergyMeter(const std::string &Nvml, const std::string &Sys)
    : Reads(std::make_unique<Sampler>(Nvml, Sys)) {}
EnergyMeter::~EnergyMeter() = default;
EnergyLog EnergyMeter::stop() { return Reads->stop(); }

} // namespace echo::drtool
