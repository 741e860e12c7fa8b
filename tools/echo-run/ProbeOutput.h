//===- ProbeOutput.h - What a probe program says ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a probe program and reads its lines. What does not end with "done" is
// an error, however much came before.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_PROBEOUTPUT_H
#define ECHO_TOOLS_ECHO_RUN_PROBEOUTPUT_H

#include "runtime/abi/CopyTime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace echo {

struct ProbeOutput {
  std::string Error;                        ///< empty: all went well
  std::map<std::string, std::string> Facts; ///< name, driver, device, ...
  std::vector<std::pair<std::string, int>> Attributes;
  struct Decision {
    uint64_t Bytes;
    bool Quiescent;
    std::string Backing, From, Why; ///< From: "table" or "profile"
  };
  std::vector<Decision> Decisions;
  /// Backing -> nanoseconds, by size.
  std::map<uint64_t, std::map<std::string, uint64_t>> Loops;
  /// Probe and its parameter -> memory kind -> nanoseconds.
  std::map<std::pair<std::string, uint64_t>, std::map<std::string, uint64_t>>
      Accesses;
  std::vector<CopyTime> Copies;
  std::vector<std::string> Measured; ///< the lines of what was measured
};

/// Reads one line. False if it is not understood.
bool readProbeLine(const std::string &Line, ProbeOutput &Out);

/// Runs \p Program; \p MostBytes 0: without the probes.
ProbeOutput runProbe(const std::string &Program, uint64_t MostBytes);

/// The profile that \p Out makes (runtime/rt/Profile.h).
std::string profileText(const ProbeOutput &Out);

} // namespace echo

#endif
