//===- Plan.h - What echo-run decided for a program -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan in memory and as text. Reading accepts only what writing can have
// made: the checksum first, then every key of runtime/abi/DrPlan.def with its
// type, no other key, and the rules between keys. Anything else is refused with
// the place and what is wrong there; a plan is never taken in part.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PLAN_H
#define ECHO_PROFILE_PLAN_H

#include "runtime/abi/DrPlan.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echo::drtool {

using drplan::Choice;
using drplan::Wait;

struct PlanExecutable {
  std::string Path;
  uint64_t Hash = 0;
  bool operator==(const PlanExecutable &) const = default;
};

/// A file that the result can depend on, as it was.
struct PlanInput {
  std::string Path, What;
  uint64_t Size = 0, Hash = 0; ///< 0: it is not there
  bool operator==(const PlanInput &) const = default;
};

/// An environment variable that the program asked for.
struct PlanVariable {
  std::string Name;
  uint64_t Hash = 0; ///< of its value; 0: it is not set
  bool operator==(const PlanVariable &) const = default;
};

/// What a process began with: hashes, but for the names of variables.
struct PlanProcess {
  uint64_t Arguments = 0, Folder = 0, Input = 0, Inherited = 0, Limits = 0;
  std::vector<PlanVariable> Variables;
  bool AllVariables = false;
  bool operator==(const PlanProcess &) const = default;
};

/// What a plan holds for; docs/internals/dr-plan.md says what each means.
struct PlanContext {
  PlanExecutable Command, Script;
  std::vector<std::string> Arguments;
  PlanExecutable Executable;
  uint64_t Interposer = 0;
  std::string Folder;
  std::string Input = "none"; ///< standard input: none, pipe, or a hash
  /// The program may read standard input, or ask what it is.
  bool UsesInput = true;
  std::string Host;
  uint64_t Machine = 0; ///< 0: it has no number, the host's name decides
  std::string Device, Uuid, Release;
  uint64_t Runtime = 0, Driver = 0;
  std::string VisibleDevices;
  std::vector<PlanInput> Files;
  std::vector<PlanVariable> Variables;
  bool AllVariables = false;
  std::vector<std::string> Written;
  std::vector<std::string> Changed;   ///< all names that the program changes
  std::optional<std::string> Unseen;  ///< what is not known of these
  std::vector<PlanProcess> Processes; ///< of the executable
  std::vector<uint64_t> Modules;      ///< that validation saw; empty: not known
  bool operator==(const PlanContext &) const = default;
};

struct PlanCopy {
  uint64_t Site = 0;
  bool ToDevice = false;
  Wait Needed = Wait::Order;
  bool operator==(const PlanCopy &) const = default;
};

struct PlanPair {
  uint64_t Id = 0, HostSite = 0, DeviceSite = 0, Bytes = 0, DeviceBytes = 0;
  bool HostMayChange = false;
  std::vector<Choice> Open; ///< without Leave, in the table's order
  Choice Chosen = Choice::Leave;
  std::vector<PlanCopy> Copies;
  std::optional<std::string> Disabled;
  bool Validated = false;
  uint8_t Joins = 0; ///< those that validation saw: drplan::joinBit
  std::optional<std::string> Rejected;
  std::map<std::string, double> Evidence;
  bool operator==(const PlanPair &) const = default;

  bool isOpen(Choice C) const;
  /// True if both sides are whole buffers of one size, seen from allocation on.
  bool couldMerge() const {
    return HostSite && DeviceSite && Bytes == DeviceBytes;
  }
};

struct Plan {
  std::string Echo;
  PlanContext Context;
  bool Portable = false, Enabled = false;
  std::string CalibratedOn; ///< host; empty: it was not
  std::string Why;
  uint64_t LoopSite = 0;
  std::vector<PlanPair> Pairs;
  bool operator==(const Plan &) const = default;
};

/// The file's text, with its checksum.
std::string planText(const Plan &P);

/// Reads a file's text. Empty if it is refused; \p Why then says where and why.
std::optional<Plan> parsePlan(std::string_view Text, std::string &Why);

/// 16 digits, as plans and reports show sites and hashes.
std::string hexText(uint64_t Value);

} // namespace echo::drtool

#endif
