//===- EnergyMeter.h - Reads energy counters beside a program ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what the machine has, some 20 times a second, on a thread of its own:
// the energy counters of NVIDIA's GPUs (NVML,
// nvmlDeviceGetTotalEnergyConsumption, Volta and later), or the power of all
// rails of a Jetson (INA3221), summed up over time. Where there is neither,
// nothing is read. It must never end the program or the command: a counter that
// fails is read no more.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_ENERGYMETER_H
#define ECHO_PROFILE_ENERGYMETER_H

#include "Profile/Energy.h"

#include <memory>

namespace echo::drtool {

class EnergyMeter {
public:
  /// Starts. \p Nvml: the library's name; \p Sys: where sysfs is.
  explicit EnergyMeter(const std::string &Nvml = "libnvidia-ml.so.1",
                       const std::string &Sys = "/sys");
  ~EnergyMeter();
  EnergyMeter(const EnergyMeter &) = delete;
  EnergyMeter &operator=(const EnergyMeter &) = delete;

  /// Stops, and gives what was read.
  EnergyLog stop();

private:
  class Sampler;
  std::unique_ptr<Sampler> Reads;
};

} // namespace echo::drtool

#endif
