//===- Doctor.h - echo-run doctor -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what device there is, what Echo would do on it and why; measures it if
// asked to, and keeps that as the device's profile. With a program: which parts
// of its plan's key fit and which do not. It changes nothing else, and runs no
// program of the user's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_DOCTOR_H
#define ECHO_TOOLS_ECHO_RUN_DOCTOR_H

#include <cstdint>
#include <string>
#include <vector>

namespace echo {

struct DoctorOptions {
  std::string Device = "cuda"; ///< or "cpu"
  bool Probe = false;
  uint64_t MostBytes = 0; ///< of the probes' buffers; 0: by device
};

/// Returns the exit status: 0 also where there is no device.
int runDoctor(const DoctorOptions &Options,
              const std::vector<std::string> &Words);
/// Compares the plan of \p Words, part by part. 0: it would be used.
int explainPlan(const std::vector<std::string> &Words);

} // namespace echo

#endif
