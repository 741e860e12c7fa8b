//===- PlanStore.h - Where plans and traces are kept ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the plan of a command, and decides whether it fits. A plan's file is
// named by two hashes: what the user starts (program and arguments), and where
// (folder, machine, visible devices). Everything else that the result can
// depend on is compared after reading. A plan that does not fit is named, with
// the part of its key that does not, and never used.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_PLANSTORE_H
#define ECHO_PROFILE_PLANSTORE_H

#include "Profile/Plan.h"

namespace echo::drtool {

/// What is known of a command before it runs: the context's part of it.
struct Launch {
  PlanExecutable Command, Script;
  std::vector<std::string> Arguments;
  uint64_t Interposer = 0;
  std::string Folder;
  std::string Input = "none"; ///< as PlanContext has it
  std::string Host;
  uint64_t Machine = 0; ///< 0: it has no number
  std::string Release;  ///< of the GPU's kernel driver; empty: there is none
  std::string VisibleDevices;
};

/// The launch of \p Path with \p Arguments, here and now.
Launch describeLaunch(const std::string &Path,
                      const std::vector<std::string> &Arguments,
                      const std::string &Interposer);

/// 16 digits of what is started, a dash and 8 of where; \p Portable leaves out
/// the machine.
std::string launchName(const Launch &L, bool Portable);

/// The same as a plan's context notes it, and back.
void noteLaunch(PlanContext &C, const Launch &L, bool Portable);
Launch notedLaunch(const PlanContext &C);

/// $ECHO_PLAN_DIR, else $XDG_CACHE_HOME/echo/plans, else ~/.cache/echo/plans.
/// Empty if there is no such place.
std::string planFolder();
/// The error that there is none.
inline constexpr char NoPlace[] = "there is no place for plans and traces: set "
                                  "ECHO_PLAN_DIR, XDG_CACHE_HOME or HOME";
/// True if JSON can hold \p Text: it is UTF-8.
bool isUtf8(const std::string &Text);
/// Why no plan can hold what \p L says; empty if one can.
std::string whyNotKept(const Launch &L);
/// The folder of \p L's traces, beside the plans.
std::string traceFolder(const Launch &L);
/// The file of a plan for \p L.
std::string planFile(const Launch &L, bool Portable);

/// A part of a plan's key.
struct KeyPart {
  std::string Name;
  std::vector<std::string> Problems; ///< what does not fit; empty: it fits
  std::string Text;                  ///< what it is, for people
};

/// Compares \p P with \p L and what there is now, part by part; with \p First,
/// only up to the first one that does not fit. What only the program's own
/// process can know (device, versions, executable) is not asked here. On
/// another machine a portable plan's files and variables are others.
std::vector<KeyPart> compareKey(const Plan &P, const Launch &L,
                                bool First = false);

/// Why \p P is not for \p L; empty if it is.
std::string whyNotFor(const Plan &P, const Launch &L);

/// Whether \p P was made, or calibrated, on the machine of \p L.
bool isOfMachine(const Plan &P, const Launch &L);

struct StoredPlan {
  std::string File;          ///< empty: there is none
  std::optional<Plan> Found; ///< empty with a file: it is refused
  std::string Why;           ///< why it is refused, or not for this launch
};

/// The plan for \p L: the host's own, else a portable one, else one of the same
/// command for another folder, machine or devices, which does not fit.
StoredPlan findPlan(const Launch &L);
StoredPlan readPlan(const std::string &File);
/// All files of the folder, by name.
std::vector<StoredPlan> listPlans(const std::string &Folder);

} // namespace echo::drtool

#endif
