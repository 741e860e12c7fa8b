//===- PlanStore.h - Where plans and traces are kept ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the plan of a command. A plan's file is named by what the user starts:
// program, arguments, host and visible devices. What else must fit (the
// program's build-id, libecho-dr.so) is compared after reading, so that a plan
// that no longer fits is named, with the reason, and not used.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_LIB_DR_PLANSTORE_H
#define ECHO_LIB_DR_PLANSTORE_H

#include "lib/Dr/Plan.h"

namespace echo::drtool {

/// What is known of a command before it runs: the context's part of it.
struct Launch {
  PlanExecutable Command, Script;
  std::vector<std::string> Arguments;
  uint64_t Interposer = 0;
  std::string Host, VisibleDevices;
};

/// The launch of \p Path with \p Arguments, here and now.
Launch describeLaunch(const std::string &Path,
                      const std::vector<std::string> &Arguments,
                      const std::string &Interposer);

/// 16 digits; \p Portable leaves out the host.
std::string launchName(const Launch &L, bool Portable);

/// $ECHO_PLAN_DIR, else $XDG_CACHE_HOME/echo/plans, else ~/.cache/echo/plans.
/// Empty if there is no such place.
std::string planFolder();
/// The error that there is none.
inline constexpr char NoPlace[] = "there is no place for plans and traces: set "
                                  "ECHO_PLAN_DIR, XDG_CACHE_HOME or HOME";
/// Why no plan can hold what \p L says; empty if one can.
std::string whyNotKept(const Launch &L);
/// The folder of \p L's traces, beside the plans.
std::string traceFolder(const Launch &L);
/// The file of a plan for \p L.
std::string planFile(const Launch &L, bool Portable);

/// Why \p P is not for \p L; empty if it is. What only the program's own
/// process can tell (device, versions, executable) is not asked here.
std::string whyNotFor(const Plan &P, const Launch &L);

struct StoredPlan {
  std::string File;          ///< empty: there is none
  std::optional<Plan> Found; ///< empty with a file: it is refused
  std::string Why;           ///< why it is refused, or not for this launch
};

/// The plan for \p L: the host's own, else a portable one.
StoredPlan findPlan(const Launch &L);
StoredPlan readPlan(const std::string &File);
/// All files of the folder, by name.
std::vector<StoredPlan> listPlans(const std::string &Folder);

} // namespace echo::drtool

#endif
